import { Select, TextInput } from '@mantine/core'
import { Call, INCOMING, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row, Update } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import { phoneFromExchange, phoneText } from '@ordinator/model/phone'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment, MOMENT_FAULT } from '#kit/dateText.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** Kinds of calls in the form: an outgoing call without an answer is not a conversation. */
const ways = { in: 'Входящий', out: 'Исходящий', silent: 'Не дозвонились', missed: 'Пропущенный' } as const
type Way = keyof typeof ways
const types = { in: INCOMING, out: OUTGOING, silent: OUTGOING, missed: MISSED } as const satisfies Record<Way, number>

const MINUTE = 60_000
const LONGEST_MIN = 24 * 60

const wayOf = ({ callType, dateAnswer }: Row<typeof Call>): Way =>
  callType === INCOMING ? 'in' : callType === OUTGOING ? (dateAnswer ? 'out' : 'silent') : 'missed'

interface Props {
  /** Absent: a new call. */
  call?: Row<typeof Call>
  onMade?: (id: number) => void
  onClose: () => void
}

/** A call entered by hand: person, time, duration; the card and the branch are found by the numbers. */
export function CallByHand({ call, onMade, onClose }: Props) {
  const actor = useActor()
  const cache = useQueryClient()
  const [way, setWay] = useState<Way>(call ? wayOf(call) : 'in')
  const [phone, setPhone] = useState(phoneText(call?.contactPhone))
  const [idCustomer, setCustomer] = useState(call?.idCustomer ?? null)
  const [idUser, setUser] = useState<number | null>(call ? call.idUser : actor.id)
  const [begin, setBegin] = useState<string | null>(() => call?.dateCreate ?? lastMinute())
  const [minutes, setMinutes] = useState<number | string | null>(call?.talkS ? Math.ceil(call.talkS / 60) : 1)
  const isTalk = way === 'in' || way === 'out'
  const number = phone.trim() === '' ? null : phoneFromExchange(phone)
  const lasts = Number(minutes)
  const run = async () => {
    const from = Date.parse(begin as string)
    // An unchanged time keeps its seconds.
    const isSame =
      call !== undefined &&
      call.dateCreate === begin &&
      wayOf(call) === way &&
      Math.ceil((call.talkS ?? 0) / 60) === lasts
    const body: Update<typeof Call> = {
      callType: types[way],
      contactPhone: number ?? null,
      idUser: way === 'missed' ? null : idUser,
      ...((idCustomer !== null || call) && { idCustomer }),
      ...(!isSame && {
        dateCreate: begin as string,
        dateAnswer: isTalk ? (begin as string) : null,
        dateEnd: new Date(from + (isTalk ? lasts * MINUTE : 0)).toISOString(),
      }),
    }
    const records = recordsWith({ forbidden: 'silent' })
    const saved = call
      ? await records.update(Call, call.id, { ...body, _version: call._version })
      : await records.create(Call, { ...body, callType: types[way] })
    await invalidateRecords(cache, Call.path)
    if (!onMade) return undefined
    // The panel replaces the dialog, which would close it.
    onMade(saved.id)
    return false
  }
  return (
    <ActionDialog
      title={call ? `Звонок № ${call.id}` : 'Новый звонок'}
      action={call ? 'Сохранить' : 'Записать звонок'}
      size={480}
      faults={{
        contactPhone:
          number === undefined
            ? messages.phone
            : number === null && idCustomer === null && 'Укажите телефон или клиента',
        dateCreate: !begin ? messages.required : !isMoment(begin) && MOMENT_FAULT,
        dateEnd: isTalk && !(lasts > 0 && lasts <= LONGEST_MIN) && 'От 1 минуты до суток',
      }}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <HStack gap={12} align="flex-start" wrap>
            <Select
              flex="1 1 160px"
              label="Вид"
              allowDeselect={false}
              data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
              value={way}
              error={errorOf('callType')}
              onChange={(value) => value && setWay(value as Way)}
            />
            <DateTimeField
              label="Когда"
              required
              w={220}
              value={begin}
              error={errorOf('dateCreate')}
              onChange={setBegin}
            />
          </HStack>
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              flex="2 1 200px"
              label="Телефон"
              type="tel"
              inputMode="tel"
              data-autofocus
              maxLength={40}
              placeholder="+7 (___) ___-__-__"
              value={phone}
              error={errorOf('contactPhone')}
              onChange={(event) => setPhone(event.currentTarget.value)}
              onBlur={() => number && setPhone(phoneText(number))}
            />
            {isTalk && (
              <NumberField
                flex="1 1 120px"
                label="Разговор, мин"
                value={minutes}
                error={errorOf('dateEnd') ?? errorOf('dateAnswer')}
                onChange={setMinutes}
              />
            )}
          </HStack>
          <RefSelect
            to={Customer.path}
            label="Клиент"
            placeholder="Пусто — найдётся по номеру"
            value={idCustomer}
            error={errorOf('idCustomer')}
            onChange={setCustomer}
          />
          {way === 'missed' ? (
            <Fine>Звонок встанет в «Никто не забыт», и вам придёт задача перезвонить.</Fine>
          ) : (
            <RefSelect to={User.path} label="Кто говорил" value={idUser} error={errorOf('idUser')} onChange={setUser} />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

const lastMinute = () => new Date(Math.floor(Date.now() / MINUTE) * MINUTE).toISOString()
