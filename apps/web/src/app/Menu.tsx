import { Collapse, Menu as Dropdown } from '@mantine/core'
import { type MenuSection, menuOf, openAtFirst } from '@ordinator/model/menu'
import { oldCrmAddress } from '@ordinator/model/oldCrm'
import type { Page } from '@ordinator/model/page'
import { pages } from '@ordinator/model/pages'
import {
  IconChevronDown,
  IconExternalLink,
  IconGripVertical,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconStar,
} from '@tabler/icons-react'
import { Link, useMatches } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useBadges } from '#base/badges.ts'
import { useAccount, useActor } from '#base/session.ts'
import { PRODUCT } from '#base/title.ts'
import { badgeText } from '#kit/badgeText.ts'
import { part } from '#kit/chunk.ts'
import { Logo } from './Logo.tsx'
import classes from './Menu.module.css'
import { useMenuPreference } from './menuPreference.ts'
import { PageIcon } from './PageIcon.tsx'

/** Their order is changed by dragging, which most menus never need. */
const StarredLinks = part(
  () => import('./StarredLinks.tsx'),
  // Links of the same size, so that nothing shifts.
  ({ starred, onNavigate }) => (
    <ul className={classes.starred} aria-label="Избранное">
      {starred.map((one) => (
        <li key={one.link} className={classes.starredRow}>
          <Link to={one.link} className={classes.link} data-inner title={one.title} onClick={onNavigate}>
            <IconGripVertical size={14} className={classes.grip} aria-hidden />
            <span className={classes.label}>{one.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  ),
)

interface Props {
  /** With labels; otherwise one icon per section, with a flyout of its pages. */
  words: boolean
  /** Absent: the menu cannot be collapsed, as in the drawer of a phone. */
  onFold?: () => void
  onNavigate?: () => void
}

/** The left menu, from the page list. */
export function Menu({ words, onFold, onNavigate }: Props) {
  const { common } = useAccount()
  const sections = useMenuSections()
  const name = common.settings.productName || PRODUCT
  return (
    <div className={classes.menu} data-words={words || undefined}>
      <Link to="/" className={classes.brand} onClick={onNavigate} aria-label={name}>
        <Logo wide={words} logo={common.settings.companyLogo} color={common.settings.companyColor} />
        {words && <span className={classes.brandName}>{name}</span>}
      </Link>
      <nav className={classes.scroll} aria-label="Разделы">
        {words ? (
          <WideMenu sections={sections} onNavigate={onNavigate} />
        ) : (
          <Rail sections={sections} onNavigate={onNavigate} />
        )}
      </nav>
      {onFold && (
        <button type="button" className={words ? classes.link : classes.tile} onClick={onFold} aria-pressed={words}>
          {words ? (
            <>
              <IconLayoutSidebarLeftCollapse size={18} stroke={1.75} aria-hidden />
              <span className={classes.label}>Свернуть меню</span>
            </>
          ) : (
            <>
              <IconLayoutSidebarLeftExpand size={20} stroke={1.75} aria-hidden />
              <span className={classes.tileLabel}>Закрепить меню</span>
            </>
          )}
        </button>
      )}
    </div>
  )
}

/** The sections with pages that the user may open. */
export function useMenuSections(): MenuSection[] {
  const { oldCrmUrl } = useAccount().common.settings
  const actor = useActor()
  return useMemo(() => menuOf(actor, oldCrmUrl), [actor, oldCrmUrl])
}

/** The open page; for the page of a record, its registry's section is marked. */
const useOpenPage = (): Page | undefined => useMatches().at(-1)?.staticData.page

function WideMenu({ sections, onNavigate }: { sections: readonly MenuSection[]; onNavigate?: () => void }) {
  const badges = useBadges()
  const chosen = useMenuPreference()
  const current = useOpenPage()?.section
  const first = openAtFirst(sections, current, chosen.starred.length)
  return (
    <>
      <PageRow page={dashboard} badge={badges.dashboard} onNavigate={onNavigate} />
      {chosen.starred.length > 0 && (
        <>
          <div className={classes.heading}>
            <IconStar size={14} aria-hidden /> Избранное
          </div>
          <StarredLinks starred={chosen.starred} onChange={chosen.star} onNavigate={onNavigate} />
        </>
      )}
      {sections.map((section) => {
        const { key, label, icon, pages: own } = section
        const [only] = own
        if (own.length === 1 && only)
          return <PageRow key={key} page={only} badge={waitingAt(only, badges)} onNavigate={onNavigate} />
        const open = key === current || (chosen.folds[key] ?? first.has(key))
        const waits = open ? 0 : sumOf(section, badges)
        return (
          <div key={key}>
            <button
              type="button"
              className={classes.link}
              aria-expanded={open}
              aria-controls={`menu-${key}`}
              title={waitsFor(waits)}
              onClick={() => chosen.fold(key, !open)}
            >
              <PageIcon name={icon} size={18} />
              <span className={classes.label}>{label}</span>
              <Badge count={waits} />
              <IconChevronDown size={14} className={classes.chevron} aria-hidden />
            </button>
            <Collapse id={`menu-${key}`} expanded={open} transitionDuration={120} role="group" aria-label={label}>
              {open &&
                own.map((page) => (
                  <PageRow key={page.key} page={page} badge={waitingAt(page, badges)} onNavigate={onNavigate} inner />
                ))}
            </Collapse>
          </div>
        )
      })}
    </>
  )
}

function Rail({ sections, onNavigate }: { sections: readonly MenuSection[]; onNavigate?: () => void }) {
  const badges = useBadges()
  const chosen = useMenuPreference()
  const current = useOpenPage()
  return (
    <>
      <TileLink page={dashboard} label="Рабочий стол" badge={badges.dashboard} onNavigate={onNavigate} />
      {chosen.starred.length > 0 && (
        <Flyout label="Избранное" icon={<IconStar size={20} stroke={1.75} aria-hidden />} current={false} badge={0}>
          <StarredLinks starred={chosen.starred} onChange={chosen.star} onNavigate={onNavigate} />
        </Flyout>
      )}
      {sections.map((section) => {
        const [only] = section.pages
        if (section.pages.length === 1 && only)
          return (
            <TileLink
              key={section.key}
              page={only}
              label={section.label}
              badge={waitingAt(only, badges)}
              onNavigate={onNavigate}
            />
          )
        return (
          <Flyout
            key={section.key}
            label={section.label}
            icon={<PageIcon name={section.icon} size={20} />}
            current={current?.section === section.key}
            badge={sumOf(section, badges)}
          >
            {section.pages.map((page) => (
              <FlyoutLink key={page.key} page={page} badge={waitingAt(page, badges)} onNavigate={onNavigate} />
            ))}
          </Flyout>
        )
      })}
    </>
  )
}

interface FlyoutProps {
  label: string
  icon: React.ReactNode
  current: boolean
  badge: number
  children: React.ReactNode
}

/** A section of the collapsed menu: its pages open beside it by click or arrow keys, never on hover. */
function Flyout({ label, icon, current, badge, children }: FlyoutProps) {
  return (
    <Dropdown trigger="click" position="right-start" offset={4} width={240} withinPortal zIndex={310}>
      <Dropdown.Target>
        <button
          type="button"
          className={classes.tile}
          data-current={current || undefined}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowRight') return
            event.preventDefault()
            if (event.currentTarget.getAttribute('aria-expanded') !== 'true') event.currentTarget.click()
          }}
        >
          {icon}
          <span className={classes.tileLabel}>{label}</span>
          <Badge count={badge} />
        </button>
      </Dropdown.Target>
      <Dropdown.Dropdown>
        <Dropdown.Label>{label}</Dropdown.Label>
        {children}
      </Dropdown.Dropdown>
    </Dropdown>
  )
}

interface LinkProps {
  page: Page
  badge?: number
  onNavigate?: () => void
}

function FlyoutLink({ page, badge, onNavigate }: LinkProps) {
  const old = useOldAddress(page)
  const shared = {
    leftSection: <PageIcon name={page.icon} size={16} />,
    rightSection: old ? <IconExternalLink size={14} aria-label="в прежней CRM" /> : <Badge count={badge} />,
    onClick: onNavigate,
  }
  return old ? (
    <Dropdown.Item {...shared} component="a" href={old} target="_blank" rel="noopener">
      {page.title}
    </Dropdown.Item>
  ) : (
    <Dropdown.Item {...shared} component={Link} to={`/${page.path}`}>
      {page.title}
    </Dropdown.Item>
  )
}

function TileLink({ page, label, badge, onNavigate }: LinkProps & { label: string }) {
  return (
    <Link
      to={`/${page.path}`}
      className={classes.tile}
      activeOptions={activeOptions(page)}
      title={waitsFor(badge)}
      onClick={onNavigate}
    >
      <PageIcon name={page.icon} size={20} />
      <span className={classes.tileLabel}>{label}</span>
      <Badge count={badge} />
    </Link>
  )
}

function PageRow({ page, badge, onNavigate, inner }: LinkProps & { inner?: boolean }) {
  const old = useOldAddress(page)
  if (old !== undefined)
    return (
      <a
        href={old}
        target="_blank"
        rel="noopener"
        className={classes.link}
        data-inner={inner || undefined}
        onClick={onNavigate}
      >
        {!inner && <PageIcon name={page.icon} size={18} />}
        <span className={classes.label}>{page.title}</span>
        <IconExternalLink size={14} aria-label="в прежней CRM" />
      </a>
    )
  return (
    <Link
      to={`/${page.path}`}
      className={classes.link}
      data-inner={inner || undefined}
      title={waitsFor(badge)}
      activeOptions={activeOptions(page)}
      onClick={onNavigate}
    >
      {!inner && <PageIcon name={page.icon} size={18} />}
      <span className={classes.label}>{page.title}</span>
      <Badge count={badge} />
    </Link>
  )
}

function Badge({ count }: { count: number | undefined }) {
  return count ? <span className={classes.badge} data-count={badgeText(count)} aria-hidden /> : null
}

const dashboard = pages[0] satisfies Page
const waitsFor = (badge: number | undefined) => (badge ? `Ждёт вас: ${badgeText(badge)}` : undefined)

/** Badge of the page, including pages of its family that are not in the menu. */
const waitingAt = (page: Page, badges: Readonly<Record<string, number>>): number =>
  (pages as readonly Page[])
    .filter((one) => one.key === page.key || (page.family !== undefined && one.family === page.family && !one.menu))
    .reduce((sum, { key }) => sum + (badges[key] ?? 0), 0)

const sumOf = ({ pages: own }: MenuSection, badges: Readonly<Record<string, number>>) =>
  own.reduce((sum, page) => sum + waitingAt(page, badges), 0)
const activeOptions = (page: Page) => ({
  exact: page.path === '' || pages.some((other) => other.path.startsWith(`${page.path}/`)),
  includeSearch: false,
})

/** The URL in the older CRM, if it serves the page. */
const useOldAddress = (page: Page): string | undefined =>
  oldCrmAddress(useAccount().common.settings.oldCrmUrl, page.path)
