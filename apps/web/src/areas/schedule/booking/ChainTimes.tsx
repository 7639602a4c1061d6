import { Checkbox, Loader, Select } from '@mantine/core'
import { plusDays } from '@ordinator/model/zone'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { Fine, KeysHint, Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { dayWords } from '../day.ts'
import classes from './Booking.module.css'
import { type ChosenTime, chosenOf, sameSlot } from './booking.ts'
import { useFirstFocused } from './useFirstFocused.ts'
import { walk } from './walk.ts'

/** Days searched. */
const SPAN = 60
export const chainsKey = 'appointments/chains'
/** Minutes between two services. */
const gaps = [
  { value: '0', label: 'сразу, без ожидания' },
  { value: '15', label: '15 минут' },
  { value: '30', label: '30 минут' },
  { value: '60', label: '1 час' },
  { value: '120', label: '2 часа' },
]

interface Props {
  idFilial: number
  day: string
  services: readonly AjaxOption[]
  chosen: ChosenTime | null
  busy: boolean
  onChoose: (time: ChosenTime) => void
}

/** Times for consecutive services, the shortest of each day first; arrows navigate, Enter selects. */
export function ChainTimes({ idFilial, day, services, chosen, busy, onChoose }: Props) {
  const [from, setFrom] = useState<string | null>(day)
  const [gap, setGap] = useState('30')
  const [inOrder, setInOrder] = useState(false)
  const first = isDay(from) ? from : day
  const body = {
    idFilial,
    parts: services.map(({ value }) => ({ idService: value })),
    from: first,
    to: plusDays(first, SPAN),
    gap: Number(gap),
    inOrder,
  }
  // Not live: the search is expensive, and a refused hold repeats it.
  const chains = useQuery({
    queryKey: [chainsKey, body],
    queryFn: ({ signal }) => api('POST /appointments/chains', { body }, { signal, forbidden: 'silent' }),
    retry: retries,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    meta: { reportsFailure: true },
  })
  const ready = !chains.isPending && chains.fetchStatus === 'idle'
  const list = useFirstFocused(ready && !chains.isPlaceholderData, JSON.stringify(body))
  const items = (chains.data?.items ?? []).map(chosenOf)
  return (
    <VStack gap={12}>
      <HStack wrap align="end" gap={12}>
        <DateField label="Начиная с" w={140} value={from} onChange={setFrom} />
        <Select
          label="Между услугами не дольше"
          w={210}
          allowDeselect={false}
          data={gaps}
          value={gap}
          onChange={(chosen) => setGap(chosen ?? gap)}
        />
        <Checkbox
          label="В этом порядке"
          mb={6}
          checked={inOrder}
          onChange={(event) => setInOrder(event.currentTarget.checked)}
        />
      </HStack>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div ref={list} role="group" aria-label="Свободное время" className={classes.days} onKeyDown={walk}>
        {items.map((time, at) => (
          <div key={`${time.localDate} ${time.parts?.map((one) => `${one.localStart} ${one.idUser}`).join()}`}>
            {time.localDate !== items[at - 1]?.localDate && <p className={classes.day}>{dayWords(time.localDate)}</p>}
            <button
              type="button"
              className={classes.chain}
              aria-pressed={sameSlot(time, chosen)}
              disabled={busy}
              data-time
              onClick={() => onChoose(time)}
            >
              {time.parts?.map((one) => (
                <span key={one.idService} className={classes.link}>
                  <strong className="tabular">{one.localStart}</strong>
                  <span>{one.serviceName}</span>
                  <span className={classes.doctor}>
                    <PersonName user={{ id: one.idUser, shortFio: one.userName }} />
                    {one.places && `, мест занято: ${one.places.taken} из ${one.places.capacity}`}
                  </span>
                </span>
              ))}
              <Fine>всего {time.minutes} мин</Fine>
            </button>
          </div>
        ))}
        {!ready && <Loader size={20} />}
        {chains.isError && <Muted role="alert">{errorMessage(chains.error)}</Muted>}
        {ready && !chains.isError && items.length === 0 && (
          <Muted>За {SPAN} дней этих услуг подряд нет. Разрешите ждать дольше или другой порядок.</Muted>
        )}
      </div>
      <KeysHint>Стрелки — выбор, Enter — взять время</KeysHint>
    </VStack>
  )
}
