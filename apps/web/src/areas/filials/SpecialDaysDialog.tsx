import { Checkbox, Radio, TextInput } from '@mantine/core'
import { Filial, FilialHoliday } from '@ordinator/model/areas/filials/filial'
import { counted, formatDay } from '@ordinator/model/format'
import { holidaysOf } from '@ordinator/model/workingTime'
import { plusDays } from '@ordinator/model/zone'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { RefMultiSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** Maximum days of a range, as on the server. */
const MOST = 400

/** Special days by range, or a year's public holidays, for several branches at once. */
export function SpecialDaysDialog({ idFilial, onClose }: { idFilial: number; onClose: () => void }) {
  const cache = useQueryClient()
  const now = today()
  const years = [Number(now.slice(0, 4)), Number(now.slice(0, 4)) + 1]
  const [what, setWhat] = useState<string>('range')
  const [filials, setFilials] = useState<number[]>([idFilial])
  const [from, setFrom] = useState<string | null>(now)
  const [to, setTo] = useState<string | null>(now)
  const [reason, setReason] = useState('')
  const [left, setLeft] = useState<readonly string[]>([])
  const [isOpen, setOpen] = useState(false)
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const year = what === 'range' ? undefined : Number(what)
  const holidays = year === undefined ? [] : holidaysOf(year).filter(({ day }) => day >= now)
  const range = from && to && to >= from ? daysBetween(from, to) : []
  const days =
    year === undefined
      ? range.map((day) => ({ day, reason: reason.trim() }))
      : holidays.filter(({ day }) => !left.includes(day)).map(({ day, name }) => ({ day, reason: name }))
  return (
    <ActionDialog
      title="Особые дни филиалов"
      action={days.length > 0 ? `Задать: ${counted(days.length, ['день', 'дня', 'дней'])}` : 'Задать'}
      size={560}
      faults={{
        filials: filials.length === 0 && 'Выберите филиалы',
        to:
          year === undefined &&
          (range.length === 0 ? 'Последний день раньше первого' : range.length > MOST && `Не больше ${MOST} дней`),
        reason: year === undefined && !reason.trim() && 'Укажите причину',
        days: year !== undefined && days.length === 0 && 'Отметьте праздники',
        start: isOpen && !start && 'Укажите время',
        end: isOpen && !end && 'Укажите время',
      }}
      run={async () => {
        const { made, changed } = await api(
          'POST /filials/special-days',
          { body: { filials, days, start: isOpen ? start : null, end: isOpen ? end : null } },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, FilialHoliday.path)
        notify.success(`Особые дни заданы: новых ${made}, изменено ${changed}`)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <Radio.Group label="Какие дни" value={what} onChange={setWhat}>
            <HStack gap="8px 24px" mt={4} wrap>
              <Radio value="range" label="Подряд" />
              {years.map((one) => (
                <Radio key={one} value={String(one)} label={`Праздники ${one} года`} />
              ))}
            </HStack>
          </Radio.Group>
          <RefMultiSelect
            to={Filial.path}
            label="Филиалы"
            value={filials}
            error={errorOf('filials')}
            onChange={setFilials}
          />
          {year === undefined ? (
            <>
              <HStack gap={12} align="start" wrap>
                <DateField label="Первый день" required value={from} onChange={setFrom} />
                <DateField label="Последний день" required value={to} error={errorOf('to')} onChange={setTo} />
              </HStack>
              <TextInput
                label="Причина"
                withAsterisk
                maxLength={128}
                value={reason}
                error={errorOf('reason')}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            </>
          ) : (
            <Checkbox.Group
              label="Праздники, которые ещё впереди"
              error={errorOf('days')}
              value={holidays.flatMap(({ day }) => (left.includes(day) ? [] : [day]))}
              onChange={(chosen) => setLeft(holidays.flatMap(({ day }) => (chosen.includes(day) ? [] : [day])))}
            >
              <VStack gap={4} mt={4}>
                {holidays.map(({ day, name }) => (
                  <Checkbox key={day} value={day} label={`${formatDay(day)} — ${name}`} />
                ))}
              </VStack>
            </Checkbox.Group>
          )}
          <Checkbox
            label="Открыты по своим часам"
            description="Без отметки филиалы в эти дни закрыты"
            checked={isOpen}
            onChange={(event) => setOpen(event.currentTarget.checked)}
          />
          {isOpen && (
            <HStack gap={12} align="start">
              <TimeField label="С" value={start} error={errorOf('start')} onChange={setStart} />
              <TimeField label="До" untilMidnight value={end} error={errorOf('end')} onChange={setEnd} />
            </HStack>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to && days.length <= MOST; day = plusDays(day, 1)) days.push(day)
  return days
}
