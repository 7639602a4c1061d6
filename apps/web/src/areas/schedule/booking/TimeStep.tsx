import { Checkbox, Loader, SegmentedControl } from '@mantine/core'
import { SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { User } from '@ordinator/model/areas/staff/user'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { MAX_CHAIN } from '@ordinator/model/areas/visits/chains'
import { counted } from '@ordinator/model/format'
import { useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { KeysHint, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList, useRecord } from '#records/reads.ts'
import { dayWords } from '../day.ts'
import classes from './Booking.module.css'
import { type BookingStart, byDay, type ChosenTime, sameSlot } from './booking.ts'
import { ChainTimes } from './ChainTimes.tsx'
import { useFirstFocused } from './useFirstFocused.ts'
import { useSlots } from './useSlots.ts'
import { walk } from './walk.ts'

const PORTION = 20
const MOST = 100

interface Props {
  idFilial: number
  start: BookingStart
  services: readonly AjaxOption[]
  chosen: ChosenTime | null
  busy: boolean
  onChoose: (slot: ChosenTime) => void
  /** Adds the patient to the waiting list, for the chosen doctor if any. */
  onWait: (idUser: number | null) => void
}

const ways = [
  { value: 'one', label: 'У одного врача' },
  { value: 'chain', label: 'По очереди у разных' },
]

/** Time step: with one doctor, or consecutive services with several. */
export function TimeStep(props: Props) {
  const { services, chosen } = props
  const [chained, setChained] = useState(chosen?.parts !== undefined)
  if (services.length < 2 || services.length > MAX_CHAIN) return <DoctorTimes {...props} />
  return (
    <VStack gap={12}>
      <HStack>
        <SegmentedControl
          aria-label="Как записать"
          data={ways}
          value={chained ? 'chain' : 'one'}
          onChange={(way) => setChained(way === 'chain')}
        />
      </HStack>
      {chained ? <ChainTimes {...props} day={props.start.day} /> : <DoctorTimes {...props} />}
    </VStack>
  )
}

/** The chosen place, then free times of a doctor; arrows navigate, Enter selects. */
function DoctorTimes({ idFilial, start, services, chosen, busy, onChoose, onWait }: Props) {
  const [from, setFrom] = useState<string | null>(start.day)
  const [idUser, setUser] = useState<number | null>(start.idUser ?? null)
  const [everywhere, setEverywhere] = useState(false)
  const [limit, setLimit] = useState(PORTION)
  const asked = {
    services: services.map(({ value }) => value),
    idFilial: everywhere ? undefined : idFilial,
    idUser: idUser ?? undefined,
    from: isDay(from) ? from : start.day,
    limit,
  }
  const { slots, minutes } = useSlots(asked)
  const doctor = useRecord(User, start.idUser, { fields: ['shortFio'] }, { forbidden: 'silent' })
  const items = slots.data ?? []
  const place = placeOf(start, idFilial, minutes ?? items[0]?.minutes, doctor.data?.shortFio)
  // The matching free time has more data than the chosen place.
  const pressed = items.find((slot) => sameSlot(slot, place)) ?? place
  const others = items.filter((slot) => !sameSlot(slot, pressed))
  const ready = !slots.isPending && slots.fetchStatus === 'idle'
  const list = useFirstFocused(ready && !slots.isPlaceholderData, JSON.stringify(asked))

  const choice = (slot: Slot) => (
    <button
      key={`${slot.localDate}${slot.localStart}${slot.idUser}`}
      type="button"
      className={classes.slot}
      aria-pressed={sameSlot(slot, chosen)}
      aria-label={[dayWords(slot.localDate), slot.localStart, slot.userName, freeText(slot)].filter(Boolean).join(', ')}
      disabled={busy}
      data-time
      onClick={() => onChoose(slot)}
    >
      <strong className="tabular">{slot.localStart}</strong>
      <span className={classes.doctor}>{slot.userName}</span>
      {slot.places && <span className={classes.places}>{freeText(slot)}</span>}
    </button>
  )
  return (
    <VStack gap={12}>
      <HStack wrap align="end" gap={12}>
        <DateField label="Начиная с" w={140} value={from} onChange={setFrom} />
        <RefSelect to={User.path} label="Врач" placeholder="Любой" value={idUser} onChange={setUser} />
        <Checkbox
          label="Во всех филиалах"
          mb={6}
          checked={everywhere}
          onChange={(event) => setEverywhere(event.currentTarget.checked)}
        />
      </HStack>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div ref={list} role="group" aria-label="Свободное время" className={classes.days} onKeyDown={walk}>
        {pressed && (
          <div>
            <p className={classes.day}>Выбрано в сетке: {dayWords(pressed.localDate)}</p>
            <div className={classes.slots}>{choice(pressed)}</div>
          </div>
        )}
        {byDay(others).map(([day, some]) => (
          <div key={day}>
            <p className={classes.day}>{dayWords(day)}</p>
            <div className={classes.slots}>{some.map(choice)}</div>
          </div>
        ))}
        {!ready && <Loader size={20} />}
        {slots.isError && <Muted role="alert">{errorMessage(slots.error)}</Muted>}
        {ready && !slots.isError && others.length === 0 && <NobodyPerforms services={asked.services} />}
        {ready && !slots.isError && others.length === 0 && (
          <HStack wrap>
            <Muted>{idUser ? 'У этого врача' : 'За 60 дней'} свободного времени для этих услуг нет.</Muted>
            {idUser !== null && (
              <ActionButton label="Любой врач" size="compact-sm" variant="light" onClick={() => setUser(null)} />
            )}
            {!everywhere && (
              <ActionButton
                label="Во всех филиалах"
                size="compact-sm"
                variant="light"
                onClick={() => setEverywhere(true)}
              />
            )}
          </HStack>
        )}
      </div>
      <HStack>
        <KeysHint flex={1}>Стрелки — выбор, Enter — взять время</KeysHint>
        <ActionButton
          label="В лист ожидания"
          variant="subtle"
          size="compact-sm"
          disabled={busy}
          onClick={() => onWait(idUser)}
        />
        {items.length >= limit && limit < MOST && (
          <ActionButton
            label="Показать ещё"
            variant="subtle"
            size="compact-sm"
            loading={slots.isFetching}
            onClick={() => setLimit(MOST)}
          />
        )}
      </HStack>
    </VStack>
  )
}

/** Explains that no doctor performs the services, with a link to assign one. */
function NobodyPerforms({ services }: { services: readonly number[] }) {
  const mayName = useCan('update', Service)
  const list = useList(
    Service,
    { filter: { id: { in: [...services] }, performedBy: 'nobody', serviceCategory: SERVICE }, fields: ['nameService'] },
    { forbidden: 'silent' },
  )
  return list.data?.items.map(({ id, nameService }) => (
    <Muted key={id} role="status">
      «{nameService}»: нет врачей с этой услугой:{' '}
      {mayName ? (
        <PageLink page="serviceUsers" search={{ id }}>
          назначьте исполнителей
        </PageLink>
      ) : (
        'назначьте исполнителей (Каталог → услуга → Врачи)'
      )}
      .
    </Muted>
  ))
}

/** Free places of a group time. */
const freeText = ({ places }: Slot): string | undefined =>
  places ? counted(places.capacity - places.taken, ['место', 'места', 'мест']) : undefined

/** The place chosen in the grid as a slot; undefined without one, or before its duration is known. */
const placeOf = (
  { day, localStart, idUser, idRoom = null }: BookingStart,
  idFilial: number,
  minutes: number | undefined,
  userName: string | undefined,
): Slot | null =>
  localStart === undefined || idUser === undefined || !minutes || !userName
    ? null
    : {
        localDate: day,
        localStart,
        dateFrom: '',
        dateTo: '',
        minutes,
        idUser,
        userName,
        idFilial,
        idRoom,
        price: null,
        places: null,
      }
