import { Badge, SegmentedControl } from '@mantine/core'
import type { Entity } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import type { HistoryEntry } from '@ordinator/model/history'
import { IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { plainText } from '../fields/richText.tsx'
import { RichText } from '../RichText.tsx'
import { useHistory } from '../reads.ts'
import classes from './Versions.module.css'
import { WordDifference } from './WordDifference.tsx'

interface Props {
  entity: Entity
  id: number
  /** A rich text field. */
  field: string
  /** Absent: the user may not change the record. */
  onRestore?: (value: string | null) => Promise<void>
}

const PORTION = 50

/** Former texts of a field: author, time and difference to the previous one; each can be restored. */
export function Versions({ entity, id, field, onRestore }: Props) {
  const history = useHistory(entity, id, { limit: PORTION, field })
  const [chosen, setChosen] = useState<number>()
  const [way, setWay] = useState<'changes' | 'text'>('changes')
  const [restoring, setRestoring] = useState(false)
  if (history.isPending) return <LinesSkeleton lines={4} />
  if (history.isError)
    return (
      <ErrorState title="Не удалось загрузить версии" error={history.error} onRetry={() => void history.refetch()} />
    )
  const versions = history.data.pages.flatMap((page) => page.items)
  const shown = versions.find((version) => version.id === chosen) ?? versions[0]
  if (!shown) return <EmptyState title="Текст ещё не меняли" />
  const [before, text] = textsOf(shown, field)
  const isLatest = shown === versions[0]
  const restore = async () => {
    setRestoring(true)
    await onRestore?.(text || null).finally(() => setRestoring(false))
    setChosen(undefined)
  }
  return (
    <div className={classes.versions}>
      <ul className={classes.list} aria-label="Версии">
        {versions.map((version) => (
          <li key={version.id}>
            <button
              type="button"
              className={classes.version}
              aria-pressed={version === shown}
              onClick={() => setChosen(version.id)}
            >
              <UserAvatar user={version.user ?? {}} size={24} />
              <span className={classes.words}>
                {version.user ? (
                  <PersonName user={version.user} className={classes.who} />
                ) : (
                  <span className={classes.who}>Система</span>
                )}
                <time
                  className={`${classes.when} tabular`}
                  dateTime={version.dateCreate}
                  title={formatFromNow(version.dateCreate)}
                >
                  {formatDateTime(version.dateCreate)}
                </time>
              </span>
              {version === versions[0] && (
                <Badge size="sm" color="gray">
                  сейчас
                </Badge>
              )}
            </button>
          </li>
        ))}
        {history.hasNextPage && (
          <li>
            <ActionButton
              label="Показать ещё"
              size="compact-sm"
              variant="default"
              loading={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            />
          </li>
        )}
      </ul>
      <section className={classes.shown} aria-label="Версия">
        <div className={classes.tools}>
          <SegmentedControl
            size="xs"
            aria-label="Как показать"
            data={[
              { value: 'changes', label: 'Что изменилось' },
              { value: 'text', label: 'Текст' },
            ]}
            value={way}
            onChange={(value) => setWay(value as typeof way)}
          />
          {onRestore && !isLatest && (
            <ActionButton
              label="Вернуть эту версию"
              reverse
              size="compact-sm"
              variant="light"
              loading={restoring}
              icon={IconRestore}
              onClick={() => void restore()}
            />
          )}
        </div>
        {way === 'text' ? (
          text ? (
            <RichText html={text} />
          ) : (
            <p className={classes.when}>Пусто</p>
          )
        ) : (
          <WordDifference before={plainText(before)} after={plainText(text)} />
        )}
      </section>
    </div>
  )
}

function textsOf({ changes }: HistoryEntry, field: string): [string, string] {
  const [before, after] = changes[field] ?? []
  return [String(before ?? ''), String(after ?? '')]
}
