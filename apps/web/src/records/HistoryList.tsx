import { Tooltip } from '@mantine/core'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { formatFromNow } from '@ordinator/model/format'
import type { HistoryEntry, RecordNames } from '@ordinator/model/history'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTimeSeconds } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { briefAt } from './declarations.ts'
import { FieldValue } from './FieldValue.tsx'
import { uiOf } from './fields/registry.ts'
import { isEmpty } from './fields/ui.ts'
import classes from './HistoryList.module.css'
import { changesOf, type HistoryLine, type HistoryWords, lineOf } from './history/lines.ts'
import { useHistory } from './reads.ts'

interface Props {
  entity: Entity
  id: number
  /** Lines per page. */
  limit?: number
  /** Includes the history of parts of this record. */
  parts?: boolean
  words?: HistoryWords
}

const actions: Record<HistoryEntry['action'], string> = {
  create: 'создание',
  update: 'изменение',
  delete: 'удаление',
  restore: 'восстановление',
}

/** Changes of a record with author and time, newest first. */
export function HistoryList({ entity, id, limit = 20, parts, words }: Props) {
  const history = useHistory(entity, id, { limit, parts })
  if (history.isPending) return <LinesSkeleton lines={6} />
  if (history.isError)
    return (
      <ErrorState title="Не удалось загрузить историю" error={history.error} onRetry={() => void history.refetch()} />
    )
  const entries = history.data.pages.flatMap((page) => page.items)
  if (entries.length === 0) return <EmptyState title="Изменений ещё не было" />
  const names = namesOf(history.data.pages)
  return (
    <div className={classes.history}>
      <ol className={classes.list}>
        {entries.map((entry) => (
          <Entry key={entry.id} own={entry.path === entity.path} line={lineOf(entry, names)} words={words} />
        ))}
      </ol>
      {history.hasNextPage && (
        <ActionButton
          label="Показать ещё"
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        />
      )}
    </div>
  )
}

function namesOf(pages: readonly { names: RecordNames }[]): RecordNames {
  const names: RecordNames = {}
  for (const page of pages)
    for (const [path, titles] of Object.entries(page.names ?? {})) names[path] = { ...names[path], ...titles }
  return names
}

function Entry({ line, own, words }: { line: HistoryLine; own: boolean; words: HistoryWords | undefined }) {
  const actor = useActor()
  const { entry } = line
  const text = words?.(line)
  if (text === null) return null
  return (
    <li className={classes.entry}>
      {entry.user ? <UserAvatar user={entry.user} size={24} /> : <span className={classes.system} aria-hidden />}
      <div className={classes.body}>
        <div className={classes.head}>
          <span className={classes.said}>
            {entry.user ? (
              <UserLink user={entry.user} className={classes.who} />
            ) : (
              <span className={classes.who}>Система</span>
            )}{' '}
            {text ?? usualWords(line, own)}
          </span>
          <Tooltip label={formatFromNow(entry.dateCreate)} openDelay={100}>
            <time dateTime={entry.dateCreate} className={classes.when}>
              {formatDateTimeSeconds(entry.dateCreate)}
            </time>
          </Tooltip>
        </div>
        {text === undefined &&
          changesOf(entry, actor).map(({ name, f, from, to }) => (
            <div key={name} className={classes.change}>
              <span className={classes.label}>{f.options.label}:</span>{' '}
              {entry.action !== 'create' && (
                <>
                  <HistoryValue f={f} value={from} line={line} /> →{' '}
                </>
              )}
              <HistoryValue f={f} value={to} line={line} />
            </div>
          ))}
      </div>
    </li>
  )
}

/** «изменение»; for a part of the record with its name: «Чек-лист «Перед приёмом»: изменение». */
function usualWords({ entry, title }: HistoryLine, own: boolean): string {
  if (own) return actions[entry.action]
  const label = briefAt(entry.path)?.label[0] ?? ''
  return `${label}${title ? ` «${title}»` : ''}: ${actions[entry.action]}`
}

function HistoryValue({ f, value, line }: { f: AnyField; value: unknown; line: HistoryLine }) {
  if (isEmpty(value)) return <span className={classes.nothing}>пусто</span>
  const { quoted } = uiOf(f)
  // Records of people are loaded where they are shown, so that the access is journaled.
  const named = isRef(f) && !briefAt(f.to)?.personal
  return (
    <span className={classes.told}>
      {quoted && '«'}
      {named ? line.nameOf(f.to, value) : <FieldValue f={f} value={value} empty="пусто" />}
      {quoted && '»'}
    </span>
  )
}
