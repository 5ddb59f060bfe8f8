import { accountTexts } from '../../texts/account.ts'
import classes from './DemoAccounts.module.css'

interface Props {
  onPick: (account: { name: string; password: string }) => void
}

/** Accounts that an installation with demonstration data brings; one click fills the form. */
export function DemoAccounts({ onPick }: Props) {
  return (
    <section className={classes.root} aria-label={accountTexts.demoTitle}>
      <p>{accountTexts.demoText}</p>
      <ul>
        {accountTexts.demoAccounts.map((account) => (
          <li key={account.name}>
            <button type="button" onClick={() => onPick(account)}>
              <span className={classes.name}>{account.label}</span>
              <span>{account.note}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
