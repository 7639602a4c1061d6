import { Tooltip } from '@mantine/core'
import { PayrollPeriod, TimesheetDay } from '@ordinator/model/areas/payroll/payroll'
import { isCounting } from '@ordinator/model/areas/payroll/states'
import { lastDay } from '@ordinator/model/areas/payroll/timesheet'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatNumber } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { WayTo } from '#base/WayTo.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { DayDialog } from './DayDialog.tsx'
import classes from './Payroll.module.css'

type Person = Answer<'GET /payroll/periods/:id/timesheet'>['people'][number]
type Day = Person['days'][number]

/** Codes of the unified form T-13. */
const codes: Readonly<Record<string, readonly [string, string]>> = {
  vacation: ['ОТ', 'Отпуск'],
  sick: ['Б', 'Больничный'],
  training: ['ПК', 'Обучение'],
  meeting: ['С', 'Совещание'],
}

/** Табель: days of a month by person; a click corrects a day. */
export function Timesheet({ period }: { period: Row<typeof PayrollPeriod> }) {
  const [asked, setAsked] = useState<{ person: Person; day: string }>()
  const answer = useQuery({
    queryKey: ['records', PayrollPeriod.path, 'timesheet', period.id],
    queryFn: ({ signal }) =>
      api('GET /payroll/periods/:id/timesheet', { params: { id: period.id } }, { signal, forbidden: 'silent' }),
    retry: retries,
    meta: { live: [TimesheetDay.path, 'staff-events'] },
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LinesSkeleton lines={10} />
  const { people, daysOff, normDays, normHours } = answer.data
  const days: string[] = []
  for (let day = period.month; day <= lastDay(period.month); day = plusDays(day, 1)) days.push(day)
  if (people.length === 0)
    return (
      <EmptyState
        title="Смен нет"
        text="Табель складывается из смен расписания"
        action={<WayTo page="calendar" label="К сменам" search={{ view: 'shifts' }} />}
      />
    )
  const off = new Set(daysOff)
  const mayEdit = isCounting(period.status)
  return (
    <VStack gap={8}>
      <Fine>
        Норма месяца: {normDays} рабочих дней, {formatNumber(normHours)} ч. Правка дня важнее смен и отмечена точкой
      </Fine>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keys */}
      <section className={classes.sheetScroll} tabIndex={0} aria-label="Табель">
        <table className={classes.timesheet}>
          <thead>
            <tr>
              <th scope="col">Сотрудник</th>
              {days.map((day) => (
                <th key={day} scope="col" data-off={off.has(day) || undefined}>
                  {Number(day.slice(8))}
                </th>
              ))}
              <th scope="col">Дней</th>
              <th scope="col">Часов</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => {
              const own = new Map(person.days.map((day) => [day.day, day]))
              const hours = person.days.reduce((sum, day) => sum + day.hours, 0)
              return (
                <tr key={person.idUser}>
                  <th scope="row">
                    {person.name}
                    <Fine component="span" display="block">
                      {person.post}
                    </Fine>
                  </th>
                  {days.map((day) => (
                    <td key={day} data-off={off.has(day) || undefined}>
                      <Cell
                        day={own.get(day)}
                        label={`${person.name}, ${formatDay(day)}`}
                        onOpen={mayEdit ? () => setAsked({ person, day }) : undefined}
                      />
                    </td>
                  ))}
                  <td className="tabular">{person.days.filter(({ shift }) => shift).length}</td>
                  <td className="tabular">{formatNumber(Math.round(hours * 100) / 100)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      {asked && (
        <DayDialog
          idFilial={period.idFilial}
          idUser={asked.person.idUser}
          name={asked.person.name}
          day={asked.day}
          now={asked.person.days.find(({ day }) => day === asked.day)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </VStack>
  )
}

function Cell({ day, label, onOpen }: { day: Day | undefined; label: string; onOpen: (() => void) | undefined }) {
  const code = day?.absence ? codes[day.absence] : undefined
  const text = day && day.hours > 0 ? formatNumber(day.hours) : (code?.[0] ?? '')
  const says = [
    day &&
      day.hours > 0 &&
      `${formatNumber(day.hours)} ч${day.nightHours ? `, ночью ${formatNumber(day.nightHours)}` : ''}`,
    code?.[1],
    day?.reason && `исправлено: ${day.reason}`,
  ]
    .filter(Boolean)
    .join(', ')
  const face = (
    <>
      {text}
      {day?.idCorrection != null && <span className={classes.corrected} aria-hidden />}
    </>
  )
  const cell = onOpen ? (
    <button type="button" className={classes.day} aria-label={`${label}: ${says || 'нет смены'}`} onClick={onOpen}>
      {face}
    </button>
  ) : (
    <span className={classes.day}>{face}</span>
  )
  return says ? <Tooltip label={says}>{cell}</Tooltip> : cell
}
