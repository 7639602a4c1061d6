import { stateText } from '@ordinator/model/areas/tasks/states'
import { inSentence } from '@ordinator/model/format'
import type { PreviewSize } from '@ordinator/model/storedFile'
import { IconAlertTriangle, IconCalendarEvent, IconMessage2 } from '@tabler/icons-react'
import { memo } from 'react'
import { apiUrl } from '#base/api.ts'
import bareText from '#kit/bareText.module.css'
import face from '#kit/board/CardFace.module.css'
import { CardMark, CardMenuButton, CardTags } from '#kit/board/CardFace.tsx'
import { Faces } from '#kit/Faces.tsx'
import type { Card } from '../cards.ts'
import { dueOf } from '../dueDate.ts'
import { importanceColor, importanceWord } from '../importance.ts'
import { cardCounters } from './cardCounters.ts'
import classes from './TaskCard.module.css'

/** Maximum counters on a card (design §9); tags and avatars are separate. */
const MAX_FACTS = 4

export interface TaskCardProps {
  card: Card
  /** The name is edited in place. */
  editing: boolean
  onName: (id: number, name: string | undefined) => void
  onMenu: (id: number, button: HTMLElement) => void
}

/** Card of a task. Plain elements and one CSS module: a board renders hundreds. */
export const TaskCard = memo(function TaskCard({ card, editing, onName, onMenu }: TaskCardProps) {
  const { task } = card
  const due = dueOf(task)
  const state = task.isCompleted ? undefined : task.isWaitCheck || task.isNeedChange ? stateText(task) : undefined
  const counters = cardCounters(task).slice(
    0,
    MAX_FACTS - Number(Boolean(due)) - Number(Boolean(state)) - Number(Boolean(task.commentsCount)),
  )
  const facts =
    due || state || task.tags.length > 0 || task.executors.length > 0 || task.commentsCount || counters.length > 0
  return (
    <div className={classes.face}>
      {task.idCover && <Cover id={task.idCover} />}
      <span
        className={classes.bar}
        style={{ background: importanceColor(task.importance) }}
        title={`Важность ${task.importance} из 10, ${importanceWord(task.importance)}`}
      />
      {editing ? (
        <NameField name={task.name} onDone={(name) => onName(card.id, name)} />
      ) : (
        <div className={`${face.title} ${classes.name}`} data-done={task.isCompleted || undefined}>
          {task.name}
        </div>
      )}
      {facts && (
        <div className={face.facts}>
          {due && (
            <span
              className={classes.due}
              data-state={due.state}
              title={due.state === 'overdue' ? 'Срок прошёл' : 'Срок'}
            >
              {due.state === 'overdue' ? (
                <IconAlertTriangle size={14} aria-hidden />
              ) : (
                <IconCalendarEvent size={14} aria-hidden />
              )}
              {due.text}
            </span>
          )}
          {state && (
            <span className={classes.state} data-state={task.isWaitCheck ? 'wait' : 'change'}>
              {state}
            </span>
          )}
          <CardTags tags={task.tags} />
          {counters.map(({ key, icon, text, title, done }) => (
            <CardMark key={key} icon={icon} title={title} tone={done ? 'done' : undefined}>
              {text}
            </CardMark>
          ))}
          <Comments task={task} />
          {task.executors.length > 0 && (
            <span className={face.people}>
              <Faces label="Исполнители" people={task.executors.map((p) => p.member?.user ?? {})} />
            </span>
          )}
        </div>
      )}
      {!editing && (
        <CardMenuButton label={`Действия с задачей «${task.name}»`} onMenu={(button) => onMenu(card.id, button)} />
      )}
    </div>
  )
})

/** Fixed height, known before the picture loads. */
function Cover({ id }: { id: number }) {
  const preview = (size: PreviewSize) => apiUrl('GET /files/:id/:size', { params: { id, size } })
  return (
    <img
      className={classes.cover}
      src={preview('small')}
      srcSet={`${preview('small')} 240w, ${preview('medium')} 720w`}
      sizes="272px"
      alt=""
      loading="lazy"
      draggable={false}
    />
  )
}

function Comments({ task: { commentsCount, numberOfUnreadComments: unread } }: Pick<Card, 'task'>) {
  if (!commentsCount) return null
  const title = unread ? `Комментариев ${commentsCount}, непрочитанных ${unread}` : `Комментариев ${commentsCount}`
  return (
    <CardMark icon={IconMessage2} title={title} tone={unread ? 'new' : undefined}>
      {commentsCount}
    </CardMark>
  )
}

function NameField({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  return (
    <textarea
      className={bareText.field}
      aria-label="Название задачи"
      defaultValue={name}
      maxLength={255}
      ref={(element) => {
        if (element && document.activeElement !== element) {
          element.focus()
          element.select()
        }
      }}
      onClick={(event) => event.preventDefault()}
      onBlur={(event) => onDone(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') {
          event.preventDefault()
          onDone(event.currentTarget.value)
        } else if (event.key === 'Escape') {
          event.preventDefault()
          onDone(undefined)
        }
      }}
    />
  )
}

/** Accessible label of a card. */
export function cardLabel(card: Card): string {
  const { task } = card
  const due = dueOf(task)
  return [
    task.name,
    `важность ${task.importance}`,
    task.isCompleted ? 'завершена' : task.isWaitCheck || task.isNeedChange ? stateText(task).toLowerCase() : undefined,
    task.numberOfUnreadComments ? `непрочитанных комментариев ${task.numberOfUnreadComments}` : undefined,
    due && (due.state === 'overdue' ? `срок прошёл ${due.text}` : `срок ${due.text}`),
    ...cardCounters(task).map((counter) => inSentence(counter.title)),
  ]
    .filter(Boolean)
    .join(', ')
}
