import { UnstyledButton } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { IconHelp, IconListCheck, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useBadges } from '#base/badges.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useAccount, useActor, useUserSettings } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { Keys } from '#kit/Keys.tsx'
import { ConnectionDot } from './ConnectionDot.tsx'
import classes from './TopBar.module.css'
import { UserMenu } from './UserMenu.tsx'

const Bell = part(async () => ({ default: (await import('./around.ts')).Bell }), <span className={classes.item} />)
/** Critical laboratory values without a call yet: counted with the user's badges. */
const CriticalAlert = part(() => import('#areas/laboratory/CriticalAlert.tsx'), <span className={classes.alert} />)
const Duty = part(async () => ({ default: (await import('./around.ts')).Duty }))

interface Props {
  start?: ReactNode
  onSearch: () => void
  onHelp: () => void
  narrow?: boolean
}

export function TopBar({ start, onSearch, onHelp, narrow }: Props) {
  const { showServerName } = useUserSettings().main
  const answers = holds(useActor(), 'supportOperator')
  const { isNew } = useAccount().common
  const critical = useBadges().labResults ?? 0
  return (
    <section className={classes.bar} aria-label="Верхняя панель">
      {start}
      <span className={classes.space} />
      {isNew && !narrow && (
        <ActionButton
          label="С чего начать"
          variant="light"
          size="compact-md"
          icon={IconListCheck}
          renderRoot={(props) => <PageLink {...props} page="start" />}
        />
      )}
      {critical > 0 && <CriticalAlert count={critical} narrow={narrow} />}
      {narrow ? (
        <IconButton icon={IconSearch} label="Поиск и команды" onClick={onSearch} />
      ) : (
        <UnstyledButton className={classes.search} onClick={onSearch}>
          <IconSearch size={16} aria-hidden />
          <span className={classes.searchText}>Поиск и команды</span>
          <Keys keys="mod+k" />
        </UnstyledButton>
      )}
      {!narrow && showServerName && (
        <span className={classes.server} title="Сервер">
          {location.host}
        </span>
      )}
      <ConnectionDot />
      {answers && <Duty />}
      <Bell />
      {!narrow && <IconButton icon={IconHelp} label="Справка" title="Справка и клавиши (?)" onClick={onHelp} />}
      <UserMenu compact={narrow} />
    </section>
  )
}
