import { useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { loadChunk } from '../base/chunk.ts'
import { useLazyDialog } from '../base/useLazyDialog.ts'
import { useOwnSettings } from '../base/useOwnSettings.ts'
import { useHotkey } from '../kit/hotkeys.ts'
import { IconButton } from '../kit/IconButton.tsx'
import { Logo } from './Logo.tsx'
import { Menu } from './Menu.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

const MenuDrawer = lazy(() => loadChunk(() => import('./MenuDrawer.tsx')))
const Palette = lazy(() => loadChunk(() => import('./Palette.tsx')))
const HotkeySheet = lazy(() => loadChunk(() => import('./HotkeySheet.tsx')))

/** Menu, top bar and the page. */
export function Shell() {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [drawer, drawerIs] = useLazyDialog()
  const [palette, paletteIs] = useLazyDialog()
  const [sheet, sheetIs] = useLazyDialog()
  const [{ pinLeftMenu: pinned }, changeMain] = useOwnSettings('main')
  const navigate = useNavigate()
  useFocusOnNavigation()
  useHotkey('mod+k', paletteIs.open, { label: 'Поиск и команды', group: 'Везде' })
  useHotkey('?', sheetIs.open, { label: 'Клавиши этой страницы', group: 'Везде' })
  useHotkey('alt+h', () => void navigate({ to: '/' }), { label: 'Рабочий стол', group: 'Везде' })
  return (
    <div className={classes.shell} data-pinned={pinned || undefined}>
      <a className={classes.skip} href="#main">
        Перейти к содержанию
      </a>
      {!phone && (
        <aside className={classes.aside}>
          <Menu pinned={pinned} onPin={() => void changeMain({ pinLeftMenu: !pinned })} />
        </aside>
      )}
      <TopBar
        start={
          phone && (
            <>
              <IconButton icon={IconMenu2} label="Меню" onClick={drawerIs.open} />
              <Logo size={24} />
            </>
          )
        }
        onSearch={paletteIs.open}
        onKeys={sheetIs.open}
        narrow={phone}
      />
      <main id="main" className={classes.main} tabIndex={-1} data-scroll-restoration-id="main">
        <Outlet />
      </main>
      <Suspense>
        {phone && drawer.wanted && <MenuDrawer opened={drawer.opened} onClose={drawerIs.close} />}
        {palette.wanted && <Palette opened={palette.opened} onClose={paletteIs.close} onKeys={sheetIs.open} />}
        {sheet.wanted && <HotkeySheet opened={sheet.opened} onClose={sheetIs.close} />}
      </Suspense>
    </div>
  )
}

/** After a change of page the focus goes to its content, unless the page itself took it. */
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
