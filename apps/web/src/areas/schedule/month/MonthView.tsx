import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { formatDuration } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { IconCalendarOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { TableSkeleton } from '#kit/Skeletons.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { retries } from '#records/reads.ts'
import type { CalendarAddress, SetCalendarAddress } from '../address.ts'
import { dayPaths, dayWords, weekdayWord } from '../day.ts'
import { type Load, percentOf } from '../grid/sheet.ts'
import { useScheduleRights } from '../rights.ts'
import classes from './Month.module.css'

interface Props {
  filial: Pick<Row<typeof Filial>, 'id'>
  day: string
  address: CalendarAddress
  setAddress: SetCalendarAddress
}

/** Load of a month: booked minutes of shift minutes, a row per doctor. A day without a shift is not 0 %. */
export default function MonthView({ filial, day, setAddress }: Props) {
  const rights = useScheduleRights()
  const days = daysOfMonth(day)
  const [from = day, to = day] = [days[0], days.at(-1)]
  const load = useQuery({
    queryKey: ['appointments/load', filial.id, from],
    queryFn: ({ signal }) => api('GET /appointments/load', { query: { idFilial: filial.id, from, to } }, { signal }),
    retry: retries,
    meta: { live: dayPaths },
  })
  if (load.isError && !load.data)
    return <ErrorState title="Загрузка не прочиталась" error={load.error} onRetry={() => void load.refetch()} />
  if (!load.data) return <TableSkeleton rows={10} columns={12} />
  const { doctors, items } = load.data
  if (doctors.length === 0)
    return (
      <EmptyState
        icon={IconCalendarOff}
        title="Нет смен"
        text="В этом месяце в филиале никто не принимает."
        action={rights.shifts && <ActionButton label="Создать" onClick={() => setAddress({ view: 'shifts' })} />}
      />
    )
  const at = new Map(items.map((item) => [`${item.idUser} ${item.localDate}`, item]))
  return (
    <div className={classes.page}>
      <div className={classes.frame}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Врач</th>
              {days.map((one) => (
                <th key={one} scope="col" aria-label={dayWords(one)}>
                  <span className={classes.weekday}>{weekdayWord(one)}</span>
                  {Number(one.slice(8))}
                </th>
              ))}
              <th scope="col">Месяц</th>
            </tr>
          </thead>
          <tbody>
            {doctors.map((doctor) => {
              const own = items.filter(({ idUser }) => idUser === doctor.idUser)
              return (
                <tr key={doctor.idUser}>
                  <th scope="row">
                    <UserLink user={{ id: doctor.idUser, shortFio: doctor.shortFio }} />
                  </th>
                  {days.map((one) => (
                    <Cell
                      key={one}
                      load={at.get(`${doctor.idUser} ${one}`)}
                      label={`${doctor.shortFio}, ${dayWords(one)}`}
                      filial={filial.id}
                      day={one}
                    />
                  ))}
                  <td className={classes.total}>{percentText(sumOf(own))}</td>
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Филиал</th>
              {days.map((one) => (
                <td key={one}>{percentText(sumOf(items.filter(({ localDate }) => localDate === one)), '')}</td>
              ))}
              <td className={classes.total}>{percentText(sumOf(items))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </div>
  )
}

interface CellProps {
  load: Load | undefined
  label: string
  filial: number
  day: string
}

function Cell({ load, label, filial, day }: CellProps) {
  const percent = percentOf(load)
  if (!load || percent === undefined) return <td aria-label={`${label}: нет смены`} />
  const hours = (minutes: number) => formatDuration(minutes * 60).replace(/:00$/, '')
  return (
    <td style={{ '--heat': `${Math.min(100, percent) * 0.6}%` } as React.CSSProperties} className={classes.heat}>
      <PageLink
        page="calendar"
        search={{ filial, day }}
        className={classes.link}
        aria-label={`${label}: занято ${percent} %`}
        title={`${label}: ${hours(load.booked)} из ${hours(load.shift)} ч`}
      >
        {percent}
      </PageLink>
    </td>
  )
}

const sumOf = (loads: readonly Load[]): Load => ({
  shift: loads.reduce((sum, { shift }) => sum + shift, 0),
  booked: loads.reduce((sum, { booked }) => sum + booked, 0),
})

const percentText = (load: Load, sign = '\u00a0%'): string => {
  const percent = percentOf(load)
  return percent === undefined ? '' : `${percent}${sign}`
}

/** Days of a day's month. */
export function daysOfMonth(day: string): string[] {
  const first = `${day.slice(0, 7)}-01`
  const days: string[] = []
  for (let one = first; one.startsWith(day.slice(0, 7)); one = plusDays(one, 1)) days.push(one)
  return days
}
