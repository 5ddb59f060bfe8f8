import { Button, NativeSelect, Skeleton } from '@mantine/core'
import type { NetworkDetail } from '@radx/contracts/networks'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { useAddressParams } from '../../../app/address-params.ts'
import { download } from '../../../app/api/download.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { useSite } from '../../../app/site.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { TextButton } from '../../../ui/TextButton.tsx'
import { networkQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { Header } from './Header.tsx'
import { Version } from './Version.tsx'

/** A network: what its file says, its runs, and what they did. */
export default function NetworkScreen() {
  const { id = '' } = useParams()
  const network = useQuery(networkQuery(id))
  return (
    <div className={`${page.root} ${classes.root}`}>
      <p className={classes.dim}>
        <Link to="/reseaux">{texts.back}</Link>
      </p>
      {network.data ? (
        <Loaded key={id} network={network.data} />
      ) : network.isError ? (
        <>
          <ScreenTitle />
          <Message
            kind="error"
            action={
              <Button size="compact-sm" variant="default" onClick={() => void network.refetch()}>
                {texts.retry}
              </Button>
            }
          >
            {serverErrorText(network.error)}
          </Message>
        </>
      ) : (
        <div aria-busy="true">
          <ScreenTitle />
          <p role="status">{texts.loading}</p>
          <Skeleton height={320} radius={12} />
        </div>
      )}
    </div>
  )
}

function Loaded({ network }: { network: NetworkDetail }) {
  const { timeZone } = useSite()
  const [params, setParams] = useAddressParams()
  const asked = Number(params.get('version'))
  const version = network.versions.find((one) => one.version === asked) ?? network.newest
  const choose = (next: number) =>
    setParams((after) => {
      // What was chosen belongs to the version that was shown.
      for (const name of ['calcul', 'objet', 'analyse', 'bassin']) after.delete(name)
      after.set('version', String(next))
      return after
    })
  return (
    <>
      <Header network={network} onVersion={choose} />
      <div className={classes.actions}>
        {network.versions.length > 1 && (
          <NativeSelect
            aria-label={texts.versions}
            value={String(version.version)}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
            data={network.versions.map((one) => ({
              value: String(one.version),
              label: texts.versionOf(one.version, one.file, formatDateTimeFr(one.createdAt, timeZone)),
            }))}
          />
        )}
        {version.files.map(({ name }) => (
          <TextButton
            key={name}
            onClick={() =>
              void download(`/api/networks/${network.id}/versions/${version.version}/files/${name}`, name)
            }
          >
            {name}
          </TextButton>
        ))}
      </div>
      <Version key={version.version} network={network} version={version} />
    </>
  )
}
