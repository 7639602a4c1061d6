import { Select, Switch } from '@mantine/core'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { MAX_SERIES } from '@ordinator/model/areas/visits/visit'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { shortDay } from '../day.ts'
import classes from './Booking.module.css'
import { type BookingBody, tryKey } from './booking.ts'
import { type CourseDay, type CourseWay, courseDays, courseWays } from './course.ts'

const USUAL = 10

interface Props {
  first: CourseDay
  body: BookingBody
  /** False for a patient without a card: no dry run. */
  known: boolean
  busy: boolean
  /** undefined: a single visit. */
  days: CourseDay[] | undefined
  onChange: (days: CourseDay[] | undefined) => void
}

/** A course: the same visit on several days, with alternatives for taken ones. */
export function CourseFold({ first, body, known, busy, days, onChange }: Props) {
  const [count, setCount] = useState<number | string | null>(days?.length ?? USUAL)
  const [way, setWay] = useState<CourseWay>('week')
  const laid = (nextCount: number | string | null, nextWay: CourseWay) => {
    const visits = typeof nextCount === 'number' && Number.isInteger(nextCount) ? nextCount : 0
    if (visits < 2 || visits > MAX_SERIES) return
    onChange(courseDays(first.localDate, visits, nextWay).map((localDate) => ({ ...first, localDate })))
  }
  const tried = useCourse(body, days, known && !busy)
  const wrong = typeof count !== 'number' || !Number.isInteger(count) || count < 2 || count > MAX_SERIES
  return (
    <VStack gap={8}>
      <Switch
        label="Записать курсом"
        checked={days !== undefined}
        onChange={(event) => (event.currentTarget.checked ? laid(wrong ? USUAL : count, way) : onChange(undefined))}
      />
      {days && (
        <>
          <HStack wrap gap={12} align="start">
            <NumberField
              label="Визитов"
              w={96}
              value={count}
              error={wrong && `От 2 до ${MAX_SERIES}`}
              onChange={(next) => {
                setCount(next)
                laid(next, way)
              }}
            />
            <Select
              label="Как часто"
              w={176}
              allowDeselect={false}
              data={Object.entries(courseWays).map(([value, label]) => ({ value, label }))}
              value={way}
              onChange={(next) => {
                setWay(next as CourseWay)
                laid(count, next as CourseWay)
              }}
            />
          </HStack>
          {tried.error && <Fine role="alert">{errorMessage(tried.error)}</Fine>}
          {!known && <Fine>Карты ещё нет: свободно ли это время, станет известно при записи.</Fine>}
          <ol className={classes.course} aria-label="Визиты курса">
            {days.map((day, at) => (
              <CourseLine
                key={`${day.localDate} ${day.localStart}`}
                day={day}
                idUser={body.coupons[0]?.idUser}
                found={tried.data?.items.find(
                  (one) => one.localDate === day.localDate && one.localStart === day.localStart,
                )}
                onTake={({ localDate, localStart }) => onChange(days.with(at, { localDate, localStart }))}
                onRemove={
                  days.length > 2
                    ? () => {
                        setCount(days.length - 1)
                        onChange(days.toSpliced(at, 1))
                      }
                    : undefined
                }
              />
            ))}
          </ol>
        </>
      )}
    </VStack>
  )
}

interface LineProps {
  day: CourseDay
  /** Doctor of the course: alternatives of other doctors are excluded. */
  idUser: number | undefined
  found: { ok: boolean; message?: string | undefined; alternatives?: Slot[] | undefined } | undefined
  onTake: (slot: Slot) => void
  onRemove: (() => void) | undefined
}

function CourseLine({ day, idUser, found, onTake, onRemove }: LineProps) {
  const name = `${shortDay(day.localDate)}, ${day.localStart}`
  const instead = (found?.alternatives ?? []).filter((slot) => slot.idUser === idUser)
  return (
    <li className={classes.courseLine} data-taken={found?.ok === false || undefined}>
      <HStack gap={12}>
        <HStack wrap grow gap="2px 12px">
          <span className="tabular nowrap">{name}</span>
          {found && <Muted>{found.ok ? 'свободно' : found.message}</Muted>}
        </HStack>
        {onRemove && <IconButton icon={IconX} size="sm" label={`Убрать ${name}`} onClick={onRemove} />}
      </HStack>
      {found?.ok === false && (
        <HStack wrap gap={6}>
          {instead.length === 0 && <Fine>Рядом свободного нет: уберите этот день.</Fine>}
          {instead.map((slot) => (
            <ActionButton
              key={`${slot.localDate} ${slot.localStart}`}
              label={`${shortDay(slot.localDate)}, ${slot.localStart}`}
              size="compact-sm"
              variant="light"
              onClick={() => onTake(slot)}
            />
          ))}
        </HStack>
      )}
    </li>
  )
}

/** Dry run of all days in one call. */
function useCourse(body: BookingBody, days: CourseDay[] | undefined, enabled: boolean) {
  const { localDate: _, dryRun: _dry, ...visit } = body
  return useQuery({
    queryKey: [tryKey, 'series', body.idCustomer, body.coupons, days],
    queryFn: ({ signal }) =>
      api(
        'POST /appointments/series',
        { body: { ...visit, note: null, days: days as CourseDay[], dryRun: true } },
        { signal, forbidden: 'silent' },
      ),
    enabled: enabled && days !== undefined,
    retry: false,
    placeholderData: (before) => before,
    meta: { reportsFailure: true },
  })
}

/** True when a day is known to be taken. */
export const useCourseRefused = (body: BookingBody, days: CourseDay[] | undefined): boolean =>
  useCourse(body, days, false).data?.items.some(({ ok }) => !ok) ?? false
