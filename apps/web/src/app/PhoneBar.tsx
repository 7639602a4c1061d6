import { phonePlaces } from '@ordinator/model/menu'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useBadges } from '#base/badges.ts'
import { useAccount, useActor } from '#base/session.ts'
import { badgeText } from '#kit/badgeText.ts'
import { PageIcon } from './PageIcon.tsx'
import classes from './PhoneBar.module.css'

/** The most used pages of the user's role, at the bottom of a phone; «Ещё» opens the menu. */
export function PhoneBar({ onMore }: { onMore: () => void }) {
  const actor = useActor()
  const { oldCrmUrl } = useAccount().common.settings
  const badges = useBadges()
  const places = useMemo(() => phonePlaces(actor, oldCrmUrl), [actor, oldCrmUrl])
  return (
    <nav className={classes.bar} aria-label="Главное">
      {places.map((page) => {
        const count = badges[page.key]
        return (
          <Link
            key={page.key}
            to={`/${page.path}`}
            className={classes.place}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <PageIcon name={page.icon} size={20} />
            <span className={classes.label}>{shortNames[page.key] ?? page.title}</span>
            {count ? <span className={classes.badge} data-count={badgeText(count)} aria-hidden /> : null}
          </Link>
        )
      })}
      <button type="button" className={classes.place} onClick={onMore} aria-haspopup="dialog">
        <IconMenu2 size={20} stroke={1.75} aria-hidden />
        <span className={classes.label}>Ещё</span>
      </button>
    </nav>
  )
}

/** Short titles for a sixth of a phone's width. */
const shortNames: Readonly<Record<string, string>> = {
  dashboard: 'Стол',
  serviceOnline: 'Диалоги',
  liveAssist: 'Чаты',
  myTasks: 'Задачи',
  calendar: 'Записи',
}
