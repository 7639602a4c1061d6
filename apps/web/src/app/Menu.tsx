import { oldCrmAddress } from '@ordinator/model/oldCrm'
import { type Page, type PageSection, pageSections } from '@ordinator/model/page'
import { isOffered, pageAllowed, pages } from '@ordinator/model/pages'
import { IconExternalLink, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useBadges } from '../base/badges.ts'
import { useAccount, useActor } from '../base/session.ts'
import { PRODUCT } from '../base/title.ts'
import { badgeText } from '../kit/badgeText.ts'
import { pageIcon } from './icons.ts'
import { Logo } from './Logo.tsx'
import classes from './Menu.module.css'

interface Props {
  pinned: boolean
  /** Without it the menu has no pin: the drawer of a phone. */
  onPin?: () => void
  onNavigate?: () => void
}

/** The left menu, from the page list. Not pinned it is a rail of icons that widens under the pointer or the focus. */
export function Menu({ pinned, onPin, onNavigate }: Props) {
  const { common } = useAccount()
  const badges = useBadges()
  const actor = useActor()
  const all: readonly Page[] = pages
  const shown = all.filter(
    (page) => page.menu && isOffered(page, common.settings.oldCrmUrl) && pageAllowed(page, actor),
  )
  const groups: [string, Page[]][] = [
    ['', shown.filter((page) => !page.section)],
    ...Object.entries(pageSections).map(([key, label]): [string, Page[]] => [
      label,
      shown.filter((page) => page.section === (key as PageSection)),
    ]),
  ]
  return (
    <div className={classes.menu} data-pinned={pinned || undefined}>
      <Link to="/" className={classes.brand} onClick={onNavigate} aria-label={common.settings.productName || PRODUCT}>
        <Logo logo={common.settings.companyLogo} color={common.settings.companyColor} />
        <span className={classes.brandName}>{common.settings.productName || PRODUCT}</span>
      </Link>
      <nav className={classes.scroll} aria-label="Разделы">
        {groups
          .filter(([, items]) => items.length > 0)
          .map(([label, items]) => (
            <div key={label} className={classes.group}>
              {label && <div className={classes.heading}>{label}</div>}
              {items.map((page) => (
                <MenuLink key={page.key} page={page} badge={badges[page.key]} onNavigate={onNavigate} />
              ))}
            </div>
          ))}
      </nav>
      {onPin && (
        <button type="button" className={classes.link} onClick={onPin} aria-pressed={pinned}>
          {pinned ? <IconPinnedOff size={18} /> : <IconPin size={18} />}
          <span className={classes.label}>{pinned ? 'Свернуть меню' : 'Закрепить меню'}</span>
        </button>
      )}
    </div>
  )
}

function MenuLink({ page, badge, onNavigate }: { page: Page; badge?: number; onNavigate?: () => void }) {
  const Icon = pageIcon(page.icon)
  const old = oldCrmAddress(useAccount().common.settings.oldCrmUrl, page.path)
  if (old !== undefined)
    return (
      <a href={old} target="_blank" rel="noopener" className={classes.link} onClick={onNavigate}>
        <Icon size={18} stroke={1.75} />
        <span className={classes.label}>{page.title}</span>
        <IconExternalLink size={14} aria-label="в прежней CRM" className={classes.outside} />
      </a>
    )
  return (
    <Link
      to={`/${page.path}`}
      className={classes.link}
      title={badge ? `Ждёт вас: ${badgeText(badge)}` : undefined}
      activeOptions={{
        exact: page.path === '' || pages.some((other) => other.path.startsWith(`${page.path}/`)),
        includeSearch: false,
      }}
      onClick={onNavigate}
    >
      <Icon size={18} stroke={1.75} />
      <span className={classes.label}>{page.title}</span>
      {badge ? <span className={classes.badge} data-count={badgeText(badge)} aria-hidden /> : null}
    </Link>
  )
}
