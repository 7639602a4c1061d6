import { useMediaQuery } from '@mantine/hooks'
import type { PageKey } from '@ordinator/model/pages'
import { Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFreshBadges } from '#base/badges.ts'
import { noteRecent } from '#base/recent.ts'
import { session, useAccount } from '#base/session.ts'
import { onTour } from '#base/tour.ts'
import { useLazyDialog } from '#base/useLazyDialog.ts'
import { useOwnSettings } from '#base/useOwnSettings.ts'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { isTraining } from '#kit/root.ts'
import { ToolsSlots } from '#kit/ToolsSlot.tsx'
import { beginTypeAhead } from '#kit/typeAhead.ts'
import { Logo } from './Logo.tsx'
import { Menu } from './Menu.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import { Place } from './Place.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

const MenuDrawer = part(() => import('./MenuDrawer.tsx'))
const Stripe = part(() => import('#areas/training/Stripe.tsx'))
const Palette = part(() => import('./Palette.tsx'))
const HelpPanel = part(() => import('./HelpPanel.tsx'))
/** A page open for less does not count as viewed. */
const LOOKED_AT_MS = 1_000

const Tour = part(() => import('./Tour.tsx'))

/** Menu, top bar and the page. */
export function Shell({ children }: { children?: ReactNode }) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [drawer, drawerIs] = useLazyDialog()
  const [palette, paletteIs] = useLazyDialog()
  const [help, helpIs] = useLazyDialog()
  const [helpPage, setHelpPage] = useState<PageKey>()
  const toggleHelp = () => (help.opened ? helpIs.close() : openHelp(undefined))
  const openHelp = (page: PageKey | undefined) => {
    setHelpPage(page)
    helpIs.open()
  }
  const [tour, tourIs] = useLazyDialog()
  useEffect(() => onTour(tourIs.open), [tourIs])
  const [pinned, pin] = useMenuPinned()
  const { common } = useAccount()
  const navigate = useNavigate()
  useFocusOnNavigation()
  useRecentPages()
  useFreshBadges()
  const search = () => {
    if (!palette.opened) beginTypeAhead()
    paletteIs.open()
  }
  useHotkey('mod+k', search, { label: 'Поиск и команды', group: 'Везде' })
  useHotkey('?', toggleHelp, { label: 'Справка и клавиши этой страницы', group: 'Везде' })
  useHotkey('alt+h', () => void navigate({ to: '/' }), { label: 'Рабочий стол', group: 'Везде' })
  return (
    <div className={classes.shell} data-pinned={pinned || undefined} data-training={isTraining || undefined}>
      {isTraining && <Stripe />}
      <a className={classes.skip} href="#main">
        Перейти к содержанию
      </a>
      {!phone && (
        <aside className={classes.aside}>
          <Menu words={pinned} onFold={() => pin(!pinned)} />
        </aside>
      )}
      <TopBar
        start={
          <>
            {phone && <Logo size={24} logo={common.settings.companyLogo} color={common.settings.companyColor} />}
            <Place narrow={phone} />
          </>
        }
        onSearch={search}
        onHelp={toggleHelp}
        narrow={phone}
      />
      <main id="main" className={classes.main} tabIndex={-1} data-scroll-restoration-id="main">
        <ToolsSlots>{children ?? <Outlet />}</ToolsSlots>
      </main>
      {phone && <PhoneBar onMore={drawerIs.open} />}
      {phone && drawer.wanted && <MenuDrawer opened={drawer.opened} onClose={drawerIs.close} />}
      {palette.wanted && <Palette opened={palette.opened} onClose={paletteIs.close} onHelp={openHelp} />}
      {help.wanted && <HelpPanel opened={help.opened} page={helpPage} onPage={setHelpPage} onClose={helpIs.close} />}
      {tour.wanted && <Tour opened={tour.opened} onClose={tourIs.close} />}
    </div>
  )
}

/** After navigation the focus moves to the page's content, unless the page has set it. */
function useFocusOnNavigation() {
  const path = useLocation({ select: (location) => location.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    const main = document.getElementById('main')
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  }, [path])
}

/** Records viewed pages, for the empty search box of the palette; records do this themselves. */
function useRecentPages() {
  const page = useMatches().at(-1)?.staticData.page
  useEffect(() => {
    // A page that needs a record in its URL is useless without it.
    const ofRecord = page?.path.includes(':') || new URLSearchParams(location.search).has('id')
    if (!page || page.public || page.path === '' || ofRecord) return
    const timer = setTimeout(() => noteRecent({ link: `/${page.path}`, title: page.title }), LOOKED_AT_MS)
    return () => clearTimeout(timer)
  }, [page])
}

/** Whether the menu shows labels: the user's choice, by default if the screen is wide enough. */
function useMenuPinned(): [boolean, (pinned: boolean) => void] {
  const wide = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false })
  const [{ pinLeftMenu }, change] = useOwnSettings('main')
  const { menuChosen } = useAccount().user.specials
  const [pressed, setPressed] = useState<boolean>()
  const pin = async (pinned: boolean) => {
    setPressed(pinned)
    await change({ pinLeftMenu: pinned })
    await session.reload()
    setPressed(undefined)
  }
  return [pressed ?? (menuChosen ? pinLeftMenu : wide), (pinned) => void pin(pinned)]
}
