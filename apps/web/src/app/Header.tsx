import { IconMenu2, IconMoon, IconSun, IconUser, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { shellTexts } from '../texts/shell.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { isManager, isSignedIn, useAuth } from './auth/store.ts'
import { setColorScheme, useColorScheme } from './color-scheme.ts'
import classes from './Header.module.css'
import { SCREENS } from './screens.ts'

/** Where the extras put what the header has and nobody waits for. */
export const TOOLS_ID = 'outils'

export function Header() {
  const manager = useAuth(isManager)
  const [open, setOpen] = useState(false)
  const navId = useId()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname])
  const nav = useRef<HTMLElement>(null)
  // The menu stands before its button: keys go into it, and back with Escape.
  useEffect(() => {
    if (!open) return
    const opener = document.activeElement as HTMLElement
    nav.current?.querySelector('a')?.focus()
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      opener.focus()
    }
    addEventListener('keydown', press)
    // Whoever chose a screen in it goes on there: its link goes with the menu.
    const menu = nav.current
    return () => {
      removeEventListener('keydown', press)
      if (menu?.contains(document.activeElement))
        document.getElementById('contenu')?.focus({ preventScroll: true })
    }
  }, [open])
  const entries = SCREENS.flatMap((screen) =>
    screen.menu && (manager || !screen.menu.managerOnly)
      ? [{ path: screen.path, label: screen.menu.label }]
      : [],
  )
  return (
    <header className={classes.root}>
      <Link to="/" className={classes.brand} aria-label={`${shellTexts.productName}, ${shellTexts.nav.live}`}>
        <BrandMark />
        <span>{shellTexts.productName}</span>
      </Link>
      <nav
        ref={nav}
        id={navId}
        className={classes.nav}
        data-open={open}
        aria-label={shellTexts.mainNavigation}
      >
        {entries.map((entry) => (
          <NavLink
            data-tour={entry.path}
            key={entry.path}
            to={entry.path}
            end={entry.path === '/'}
            className={classes.link}
          >
            {entry.label}
          </NavLink>
        ))}
      </nav>
      <div className={classes.tools}>
        <div id={TOOLS_ID} className={classes.slot} />
        <SchemeToggle />
        <UserLink />
        <IconButton
          className={classes.burger}
          data-tour="menu"
          label={shellTexts.openMenu}
          tip="left"
          onClick={() => setOpen((value) => !value)}
          aria-expanded={open}
          aria-controls={navId}
        >
          {open ? <IconX size={20} stroke={1.75} /> : <IconMenu2 size={20} stroke={1.75} />}
        </IconButton>
      </div>
    </header>
  )
}

function BrandMark() {
  return (
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden className={classes.mark}>
      <path d="M2.500 21.500A19 19 0 0 1 21.500 2.500" opacity="0.4" />
      <path d="M8.500 21.500A13 13 0 0 1 21.500 8.500" opacity="0.7" />
      <path d="M14.500 21.500A7 7 0 0 1 21.500 14.500" />
      <circle cx="21.500" cy="21.500" r="2.500" />
    </svg>
  )
}

function SchemeToggle() {
  const dark = useColorScheme() === 'dark'
  const label = dark ? shellTexts.toLight : shellTexts.toDark
  const Icon = dark ? IconSun : IconMoon
  return (
    <IconButton label={label} tip="bottom" onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
      <Icon size={20} stroke={1.75} />
    </IconButton>
  )
}

function UserLink() {
  const signedIn = useAuth(isSignedIn)
  const name = useAuth((state) => state.name)
  const avatar = useAuth((state) => state.avatar)
  if (!signedIn)
    return (
      <Link to="/compte" data-tour="account" className={classes.user}>
        <IconUser size={18} stroke={1.75} aria-hidden />
        {shellTexts.signIn}
      </Link>
    )
  return (
    <Link
      to="/compte"
      data-tour="account"
      className={classes.user}
      aria-label={shellTexts.account(name ?? '')}
    >
      {avatar ? (
        <img src={avatar} alt="" className={classes.avatar} />
      ) : (
        <IconUser size={18} stroke={1.75} aria-hidden />
      )}
      <span className={classes.userName}>{name}</span>
    </Link>
  )
}
