import { holds } from '@ordinator/model/access'
import { decisions, reviewerKinds } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { counted } from '@ordinator/model/format'
import { Fragment, type ReactNode } from 'react'
import { useActor } from '#base/session.ts'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import frame from '#kit/openCard.module.css'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { Chip } from '../Chip.tsx'
import { decisionColors } from '../looks.ts'
import { useReads } from '../reads/calls.ts'
import { isLate } from '../reads/late.ts'
import { Decide } from './Decide.tsx'
import classes from './ViewerSide.module.css'

const monthForms = ['месяц', 'месяца', 'месяцев'] as const
const dayForms = ['день', 'дня', 'дней'] as const

/** Responsible, dates and approvals of the regulation. */
export function ViewerSide({ view }: { view: RegulationView }) {
  const { responsibleUser, role, reviewers } = view
  const dates: [string, string | null][] = [
    ['Вступает', view.status === 'active' || view.status === 'archived' ? null : view.dateEffective],
    ['Утверждён', view.dateApproved],
    ['Действует с', view.dateActive],
    ['Пересмотр', view.dateReview],
    ['В архиве с', view.dateArchived],
  ]
  return (
    <aside className={frame.side} aria-label="Свойства регламента">
      <Part label="Ответственный">
        {responsibleUser ? <UserChip user={responsibleUser} /> : <span className={frame.nothing}>Не назначен</span>}
        {role && (
          <Fine component="div" mt={4} className="breaks">
            {role}
          </Fine>
        )}
      </Part>
      {dates.some(([, date]) => date) && (
        <Part label="Даты">
          <dl className={classes.facts}>
            {dates.map(
              ([label, date]) =>
                date && (
                  <HStack key={label} align="stretch" justify="space-between">
                    <dt>{label}</dt>
                    <dd className="tabular">{formatDate(date)}</dd>
                  </HStack>
                ),
            )}
            {view.reviewMonths > 0 && (
              <HStack align="stretch" justify="space-between">
                <dt>Пересматривают</dt>
                <dd>раз в {counted(view.reviewMonths, monthForms)}</dd>
              </HStack>
            )}
          </dl>
        </Part>
      )}
      {reviewers.length > 0 && (
        <Part label="Согласование">
          <VStack component="ul">
            {reviewers.map(({ id, user, kind, decision, comment, dateDecision }) => (
              <VStack key={id} component="li" gap={2}>
                <HStack component="span" justify="space-between">
                  <UserChip user={user} hint={reviewerKinds[kind]} />
                  <Chip
                    color={decisionColors[decision]}
                    title={dateDecision ? formatDateTime(dateDecision) : undefined}
                  >
                    {decisions[decision]}
                  </Chip>
                </HStack>
                {comment && <Fine className="breaks">{comment}</Fine>}
              </VStack>
            ))}
          </VStack>
          <Decide view={view} />
        </Part>
      )}
      <Part label="Ознакомление">
        <Audience view={view} />
        <Fine component="p">
          {counted(view.readDays, dayForms)} на чтение
          {view.hasTest > 0 && `, тест: ${view.hasTest} вопр., нужно ${view.passScore} %`}
        </Fine>
        {view.status === 'active' && <Unread view={view} />}
      </Part>
      <dl className={frame.facts}>
        <dt>Создан</dt>
        <dd className="tabular">{formatDateTime(view.created_at)}</dd>
        <dt>Обновлён</dt>
        <dd className="tabular">{formatDateTime(view.updated_at)}</dd>
      </dl>
    </aside>
  )
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <div className={frame.label}>{label}</div>
      {children}
    </div>
  )
}

/** Unread names shown before the tab of readers. */
const MAX_UNREAD = 8

/** Who has not read it, the late ones first; for editors and the responsible employee. */
function Unread({ view }: { view: RegulationView }) {
  const actor = useActor()
  const isKept = holds(actor, 'editScripts') || view.idResponsibleUser === actor.id
  const list = useReads(view.id, isKept)
  const reads = list.data?.items ?? []
  const open = reads.filter(({ dateRead }) => !dateRead)
  if (reads.length === 0) return null
  if (open.length === 0) return <Fine component="p">Ознакомились все: {reads.length}</Fine>
  const rest = open.length - MAX_UNREAD
  return (
    <section aria-label="Не ознакомились">
      <HStack justify="space-between" mt={8} mb={4}>
        <span>Не ознакомились</span>
        <span className="tabular">
          {open.length} из {reads.length}
        </span>
      </HStack>
      <VStack component="ul" gap={4}>
        {open.slice(0, MAX_UNREAD).map(({ id, user, dateDue }) => (
          <HStack key={id} component="li" justify="space-between">
            {user && <UserLink user={user} />}
            <Fine c={isLate(dateDue) ? 'var(--mantine-color-red-text)' : undefined} className="nowrap">
              {isLate(dateDue) ? `срок был ${formatDate(dateDue)}` : `до ${formatDate(dateDue)}`}
            </Fine>
          </HStack>
        ))}
      </VStack>
      {rest > 0 && <Fine component="p">и ещё {rest}: все на вкладке «Ознакомление»</Fine>}
    </section>
  )
}

const MAX_NAMES = 5

function Audience({ view: { audience } }: { view: RegulationView }) {
  const named = audience.filter(({ user, role }) => role ?? user)
  if (named.length === 0) return 'Никому не назначено'
  const rest = named.length - MAX_NAMES
  return (
    <>
      {named.slice(0, MAX_NAMES).map(({ id, user, role }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          {role ?? (user && <UserLink user={user} />)}
        </Fragment>
      ))}
      {rest > 0 && ` и ещё ${rest}`}
    </>
  )
}
