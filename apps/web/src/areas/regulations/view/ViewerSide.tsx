import { Text } from '@mantine/core'
import { decisions, reviewerKinds } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { counted } from '@ordinator/model/format'
import type { ReactNode } from 'react'
import { formatDate, formatDateTime } from '../../../kit/clock.ts'
import frame from '../../../kit/openCard.module.css'
import { UserChip } from '../../../kit/UserChip.tsx'
import { Chip } from '../Chip.tsx'
import { decisionColors } from '../looks.ts'
import { Decide } from './Decide.tsx'
import classes from './ViewerSide.module.css'

const monthForms = ['месяц', 'месяца', 'месяцев'] as const
const dayForms = ['день', 'дня', 'дней'] as const

/** Who answers for the regulation, when it counts, who has agreed to it. */
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
        {role && <div className={classes.role}>{role}</div>}
      </Part>
      {dates.some(([, date]) => date) && (
        <Part label="Даты">
          <dl className={classes.facts}>
            {dates.map(
              ([label, date]) =>
                date && (
                  <div key={label} className={classes.fact}>
                    <dt>{label}</dt>
                    <dd className="tabular">{formatDate(date)}</dd>
                  </div>
                ),
            )}
            {view.reviewMonths > 0 && (
              <div className={classes.fact}>
                <dt>Пересматривают</dt>
                <dd>раз в {counted(view.reviewMonths, monthForms)}</dd>
              </div>
            )}
          </dl>
        </Part>
      )}
      {reviewers.length > 0 && (
        <Part label="Согласование">
          <ul className={classes.reviewers}>
            {reviewers.map(({ id, user, kind, decision, comment, dateDecision }) => (
              <li key={id} className={classes.reviewer}>
                <span className={classes.who}>
                  <UserChip user={user} hint={reviewerKinds[kind]} />
                  <Chip
                    color={decisionColors[decision]}
                    title={dateDecision ? formatDateTime(dateDecision) : undefined}
                  >
                    {decisions[decision]}
                  </Chip>
                </span>
                {comment && <span className={classes.comment}>{comment}</span>}
              </li>
            ))}
          </ul>
          <Decide view={view} />
        </Part>
      )}
      <Part label="Ознакомление">
        {audienceText(view)}
        <Text size="xs" c="dimmed">
          {counted(view.readDays, dayForms)} на чтение
          {view.hasTest > 0 && `, тест: ${view.hasTest} вопр., нужно ${view.passScore} %`}
        </Text>
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

const MAX_NAMES = 5

function audienceText({ audience }: RegulationView): string {
  const names = audience.map(({ user, role }) => role ?? user?.shortFio ?? '').filter(Boolean)
  if (names.length === 0) return 'Никому не назначено'
  const rest = names.length - MAX_NAMES
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` и ещё ${rest}` : '')
}
