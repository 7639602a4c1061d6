import { cancelReasons } from '@ordinator/model/areas/visits/rules'
import { Appointment, channels } from '@ordinator/model/areas/visits/visit'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useSave } from '#records/writes.ts'
import { useScheduleRights } from '../rights.ts'
import type { useVisitHistory } from './history.ts'
import classes from './VisitPanel.module.css'
import { VisitReferrer } from './VisitReferrer.tsx'
import type { Visit } from './visit.ts'

/** Branch, channel, referrer and note of a visit. */
export function VisitFacts({ visit }: { visit: Visit }) {
  const rights = useScheduleRights()
  const save = useSave(Appointment)
  const [noting, setNoting] = useState(false)
  return (
    <section aria-label="О записи">
      <h2>О записи</h2>
      <dl className={classes.facts}>
        {visit.filial && (
          <>
            <dt>Филиал</dt>
            <dd>{visit.filial.nameFilial}</dd>
          </>
        )}
        <dt>Как записан</dt>
        <dd>{channels[visit.channel]}</dd>
        <VisitReferrer visit={visit} />
        {visit.cancelReason && (
          <>
            <dt>Причина отмены</dt>
            <dd>
              {cancelReasons[visit.cancelReason]}
              {visit.cancelNote && `: ${visit.cancelNote}`}
            </dd>
          </>
        )}
        <dt>Примечание</dt>
        <dd>
          {visit.note ? <span className="lines">{visit.note}</span> : '—'}{' '}
          {rights.edit && (
            <ActionButton label="Изменить" size="compact-xs" variant="subtle" onClick={() => setNoting(true)} />
          )}
        </dd>
      </dl>
      {noting && (
        <WordsDialog
          title="Примечание к записи"
          label="Примечание"
          action="Сохранить"
          initial={visit.note ?? ''}
          onClose={() => setNoting(false)}
          run={(note) => save.mutateAsync({ id: visit.id, note: note || null })}
        />
      )}
    </section>
  )
}

export const VisitHistory = ({ visit, history }: { visit: Visit; history: ReturnType<typeof useVisitHistory> }) => (
  <section aria-label="История">
    <h2>История</h2>
    <ol className={classes.history}>
      {history.map(({ key, at, who, text }) => (
        <li key={key}>
          <Fine className="tabular">{formatDateTime(at, visit.filial?.timeZone)}</Fine>
          <span>{text}</span>
          {who && (
            <Fine>
              <UserLink user={who} />
            </Fine>
          )}
        </li>
      ))}
    </ol>
  </section>
)
