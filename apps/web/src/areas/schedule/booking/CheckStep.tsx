import { Alert, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { counted, formatMoney } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { DiscountReasons } from '#areas/discounts/index.ts'
import { DebtMark } from '#areas/money/index.ts'
import { ReferrerSelect } from '#areas/referrers/index.ts'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { dayWords } from '../day.ts'
import { refusedTime } from '../slots.ts'
import classes from './Booking.module.css'
import { type BookingBody, type PlacedBooking, plannedSum, tryKey } from './booking.ts'
import { CourseFold, useCourseRefused } from './CourseFold.tsx'
import type { CourseDay } from './course.ts'
import { UnpaidAlert } from './UnpaidAlert.tsx'
import { useSlots } from './useSlots.ts'

interface Props {
  booking: PlacedBooking
  body: BookingBody
  busy: boolean
  onNote: (note: string) => void
  onReferrer: (idReferrer: number | null) => void
  onUnpaid: (reason: string) => void
  onCourse: (days: CourseDay[] | undefined) => void
  /** Called when the time was taken meanwhile. */
  onTaken: (trouble: { text: string; alternatives: Slot[] }) => void
  onBook: () => void
}

/** Price, duration and warnings; Enter books. */
export function CheckStep({ booking, body, busy, onNote, onReferrer, onUnpaid, onCourse, onTaken, onBook }: Props) {
  const { slot, services, customer, fresh, course, planned } = booking
  const isRefused = useCourseRefused(body, course)
  const tried = useQuery({
    queryKey: [tryKey, body.idCustomer, body.localDate, body.coupons],
    queryFn: ({ signal }) =>
      api(
        'POST /appointments/book',
        { body: { ...body, note: null, unpaidReason: null, dryRun: true } },
        { signal, forbidden: 'silent' },
      ),
    // Not for a patient without a card, nor while booking.
    enabled: customer !== null && !busy,
    retry: false,
    meta: { reportsFailure: true },
  })
  const refused = refusedTime(tried.error)
  const { idCustomer: unpaid, unpaidReason: mayBeUnpaid } =
    tried.error instanceof ApiError && tried.error.status === 422 ? tried.error.byField : {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once for each refusal
  useEffect(() => {
    if (refused) onTaken({ text: refused.message, alternatives: slot.parts ? [] : refused.alternatives })
  }, [tried.error])
  const usual = usePrices(booking)
  const prices = slot.parts
    ? slot.parts.map(({ idService, price }) => plannedSum(idService, booking) ?? price)
    : services.map(({ value }, at) => plannedSum(value, booking) ?? usual[at] ?? null)
  const total = prices.every((price) => price !== null) ? prices.reduce((sum, price) => sum + (price ?? 0), 0) : null
  // Expected discounts; lines of an agreed plan keep their price.
  const asked = slot.parts
    ? slot.parts.map(({ idService, idUser }) => ({ idService, idUser }))
    : services.map(({ value }) => ({ idService: value, idUser: slot.idUser }))
  const free = asked.filter(({ idService }) => plannedSum(idService, booking) === undefined)
  const idCustomer = customer?.value ?? null
  const { idFilial, localDate, localStart } = slot
  const estimate = useQuery({
    queryKey: ['appointments', 'estimate', idCustomer, idFilial, localDate, localStart, free],
    queryFn: ({ signal }) =>
      api(
        'POST /appointments/estimate',
        { body: { idCustomer, idFilial, localDate, localStart, lines: free } },
        { signal, forbidden: 'silent', quiet: true },
      ),
    enabled: free.length > 0 && total !== null,
    retry: false,
  }).data
  const off = estimate ? estimate.base - estimate.final : 0
  const patient = customer?.label ?? [fresh?.surname, fresh?.name, fresh?.middleName].filter(Boolean).join(' ')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onBook()
      }}
    >
      <VStack gap={12}>
        <dl className={classes.facts}>
          <dt>Пациент</dt>
          <dd>
            {patient} {customer && <DebtMark idCustomer={customer.value} />}
          </dd>
          <dt>Когда</dt>
          <dd>
            {dayWords(slot.localDate)}, <strong>{slot.localStart}</strong>, {slot.minutes} мин
          </dd>
          <dt>{slot.parts ? 'Врачи' : 'Врач'}</dt>
          <dd>{slot.parts ? slot.userName : <UserLink user={{ id: slot.idUser, shortFio: slot.userName }} />}</dd>
          <dt>Услуги</dt>
          <dd>
            {slot.parts?.map(({ idService, serviceName, localStart, idUser, userName }, at) => (
              <div key={idService}>
                <strong className="tabular">{localStart}</strong> {serviceName},{' '}
                <UserLink user={{ id: idUser, shortFio: userName }} />
                {prices[at] !== null && prices[at] !== undefined && ` — ${formatMoney(prices[at])}`}
                {plannedSum(idService, booking) !== undefined && ' по плану лечения'}
              </div>
            )) ??
              services.map(({ value, label }, at) => (
                <div key={value}>
                  {label}
                  {prices[at] !== null && prices[at] !== undefined && ` — ${formatMoney(prices[at])}`}
                  {plannedSum(value, booking) !== undefined && ' по плану лечения'}
                </div>
              ))}
          </dd>
          <dt>{course ? 'Один визит' : 'Стоимость'}</dt>
          <dd>
            <strong>{total === null ? 'по прайсу в день приёма' : formatMoney((total - off).toFixed(2))}</strong>
            {total !== null && off > 0 && (
              <>
                {' '}
                <Text span inherit td="line-through" c="dimmed">
                  <VisuallyHidden>Без скидок: </VisuallyHidden>
                  {formatMoney(total.toFixed(2))}
                </Text>
                <DiscountReasons lines={estimate?.lines ?? []} />
              </>
            )}
          </dd>
        </dl>
        {(tried.data?.warnings ?? []).map((warning) => (
          <Alert key={warning} color="yellow" variant="light" role="status">
            {warning}
          </Alert>
        ))}
        {(unpaid ?? mayBeUnpaid) && customer && (
          <UnpaidAlert
            message={(unpaid ?? mayBeUnpaid) as string}
            idCustomer={customer.value}
            idFilial={slot.idFilial}
            onTaken={() => void tried.refetch()}
          />
        )}
        {mayBeUnpaid && (
          <TextInput
            label="Почему без предоплаты"
            maxLength={200}
            value={booking.unpaidReason ?? ''}
            onChange={(event) => onUnpaid(event.currentTarget.value)}
          />
        )}
        <ReferrerSelect value={booking.idReferrer ?? null} onChange={onReferrer} />
        <Textarea
          label="Примечание"
          autosize
          minRows={1}
          maxLength={2000}
          value={booking.note}
          onChange={(event) => onNote(event.currentTarget.value)}
        />
        {!planned && (
          <CourseFold
            first={{ localDate: slot.localDate, localStart: slot.localStart }}
            body={body}
            known={customer !== null}
            busy={busy}
            days={course}
            onChange={onCourse}
          />
        )}
        <HStack justify="end">
          <ActionButton
            label={course ? `Записать: ${counted(course.length, VISITS)}` : 'Записать'}
            type="submit"
            loading={busy}
            disabled={isRefused}
            autoFocus
          />
        </HStack>
      </VStack>
    </form>
  )
}

const VISITS = ['визит', 'визита', 'визитов'] as const

/** Prices of the day from the free times of each service. */
const usePrices = ({ services, slot }: PlacedBooking): (number | null)[] =>
  useSlots({
    services: services.map(({ value }) => value),
    idFilial: slot.idFilial,
    idUser: slot.idUser,
    from: slot.localDate,
    limit: 1,
  }).prices
