import { Menu } from '@mantine/core'
import { type Page, pageFamilies, pageSections, setUpGroups } from '@ordinator/model/page'
import { pageAllowed, pageByKey, pages } from '@ordinator/model/pages'
import { IconChevronDown, IconStar, IconStarFilled } from '@tabler/icons-react'
import { Link, useLocation, useMatches } from '@tanstack/react-router'
import { useActor } from '#base/session.ts'
import { shownTitle } from '#base/title.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { APP } from '#kit/root.ts'
import { toggleStar, useMenuPreference } from './menuPreference.ts'
import classes from './TopBar.module.css'

/** Breadcrumbs of the open page: section and family, the link back to the settings, and the star. */
export function Place({ narrow }: { narrow?: boolean }) {
  const page = useMatches().at(-1)?.staticData.page
  return (
    <div className={classes.place}>
      {page && !narrow && <Crumbs page={page} />}
      <Star />
    </div>
  )
}

function Crumbs({ page }: { page: Page }) {
  const actor = useActor()
  const settings = pageByKey('settings')
  if (!page.section) return null
  const section = pageSections[page.section]
  if (page.section === 'settings' && page.key !== 'settings')
    return (
      <nav className={classes.crumbs} aria-label="Где вы">
        {pageAllowed(settings, actor) ? (
          <Link to="/settings" className={classes.crumb}>
            {section}
          </Link>
        ) : (
          <span>{section}</span>
        )}
        {page.group && <span>› {setUpGroups[page.group]}</span>}
      </nav>
    )
  const siblings = page.family
    ? (pages as readonly Page[]).filter((one) => one.family === page.family && pageAllowed(one, actor))
    : []
  return (
    <nav className={classes.crumbs} aria-label="Где вы">
      <span>{section}</span>
      {page.family && siblings.length > 1 && (
        <Menu position="bottom-start" width={240}>
          <Menu.Target>
            <button type="button" className={classes.family}>
              <span>› {pageFamilies[page.family]}</span>
              <IconChevronDown size={14} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {siblings.map((one) => (
              <Menu.Item
                key={one.key}
                component={Link}
                to={`/${one.path}`}
                aria-current={one.key === page.key ? 'page' : undefined}
              >
                {one.title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}

/** The path below the app; the router gives it with the base path or without. */
const inApp = (path: string): string => (path === APP || path.startsWith(`${APP}/`) ? path.slice(APP.length) : path)

/** Adds the open URL to «Избранное», or removes it. */
function Star() {
  const { starred: places, star, canStarMore } = useMenuPreference()
  const link = useLocation({
    select: ({ pathname, searchStr }) => `${inApp(pathname) || '/'}${searchStr}`,
  })
  const starred = places.some((one) => one.link === link)
  if (link === '/') return null
  return (
    <IconButton
      icon={starred ? IconStarFilled : IconStar}
      label={starred ? 'Убрать из избранного' : 'В избранное'}
      aria-pressed={starred}
      onClick={() => {
        if (!starred && !canStarMore) notify.error('В избранном уже 20 мест: уберите лишние')
        else star(toggleStar(places, { link, title: shownTitle() }))
      }}
    />
  )
}
