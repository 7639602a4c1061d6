import { Badge, Button } from '@mantine/core'
import type { HistoryEntry } from '@ordinator/model/client'
import { type AnyField, type Entity, isVisible } from '@ordinator/model/entity'
import { formatDateTimeSeconds } from '@ordinator/model/format'
import { useActor } from '../app/session.ts'
import { EmptyState } from '../kit/EmptyState.tsx'
import { ErrorState } from '../kit/ErrorState.tsx'
import { LinesSkeleton } from '../kit/Skeletons.tsx'
import { personName, UserAvatar } from '../kit/UserAvatar.tsx'
import { FieldValue } from './FieldValue.tsx'
import { isEmpty } from './fields/ui.ts'
import classes from './HistoryList.module.css'
import { useHistory } from './reads.ts'

interface Props {
  entity: Entity
  id: number
  /** Lines in a portion. */
  limit?: number
}

const actions: Record<HistoryEntry['action'], string> = {
  create: 'Создание',
  update: 'Изменение',
  delete: 'Удаление',
  restore: 'Восстановление',
}

/** Who changed what in a record and when, the newest first. */
export function HistoryList({ entity, id, limit = 20 }: Props) {
  const history = useHistory(entity, id, { limit })
  if (history.isPending) return <LinesSkeleton lines={6} />
  if (history.isError)
    return (
      <ErrorState title="Не удалось загрузить историю" error={history.error} onRetry={() => void history.refetch()} />
    )
  const entries = history.data.pages.flatMap((page) => page.items)
  if (entries.length === 0) return <EmptyState title="Изменений ещё не было" />
  return (
    <div className={classes.history}>
      <ol className={classes.list}>
        {entries.map((entry) => (
          <Entry key={entry.id} entity={entity} entry={entry} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button variant="default" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Показать ещё
        </Button>
      )}
    </div>
  )
}

function Entry({ entity, entry }: { entity: Entity; entry: HistoryEntry }) {
  const actor = useActor()
  const changes = Object.entries(entry.changes ?? {}).flatMap(([name, change]) => {
    const f = Object.hasOwn(entity.all, name) ? entity.all[name] : undefined
    return f && tells(f, name) && isVisible(f, actor) && Array.isArray(change)
      ? [{ name, f, from: change[0], to: change[1] }]
      : []
  })
  // A creation lists what was filled in; an empty field says nothing.
  const told = entry.action === 'create' ? changes.filter(({ to }) => !isEmpty(to) && to !== false) : changes
  return (
    <li className={classes.entry}>
      {entry.user ? <UserAvatar user={entry.user} size={24} /> : <span className={classes.system} aria-hidden />}
      <div className={classes.body}>
        <div className={classes.head}>
          <span className={classes.who}>{entry.user ? personName(entry.user) : 'Система'}</span>
          <Badge color="gray" size="sm">
            {actions[entry.action]}
          </Badge>
          <time dateTime={entry.dateCreate} className={classes.when}>
            {formatDateTimeSeconds(entry.dateCreate)}
          </time>
        </div>
        {told.map(({ name, f, from, to }) => (
          <div key={name} className={classes.change}>
            <span className={classes.label}>{f.options.label}:</span>{' '}
            {entry.action !== 'create' && (
              <>
                <Told f={f} value={from} /> →{' '}
              </>
            )}
            <Told f={f} value={to} />
          </div>
        ))}
      </div>
    </li>
  )
}

/** What the server fills by itself and where a card lies say nothing to a reader. */
const tells = (f: AnyField, name: string) => f.kind !== 'position' && name !== 'deleted' && !f.options.auto

function Told({ f, value }: { f: AnyField; value: unknown }) {
  if (isEmpty(value)) return <span className={classes.nothing}>пусто</span>
  const quoted = f.kind === 'text' || f.kind === 'richText'
  return (
    <span className={classes.told}>
      {quoted && '«'}
      <FieldValue f={f} value={value} empty="пусто" />
      {quoted && '»'}
    </span>
  )
}
