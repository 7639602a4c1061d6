import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, CallCheck } from '@ordinator/model/areas/calls/call'
import type { IncomingCall } from '@ordinator/model/areas/calls/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import { phoneText } from '@ordinator/model/phone'
import {
  IconBriefcase,
  IconCalendarPlus,
  IconChevronDown,
  IconCircleCheck,
  IconHeadset,
  IconListCheck,
  IconMessageReport,
  IconPhoneOutgoing,
  IconScript,
  IconUserPlus,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { NewCustomer } from '#areas/customers/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { useCallProps } from '#kit/PhoneLink.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { CallCheckList } from './CallCheckList.tsx'
import { CallerFacts } from './CallerFacts.tsx'
import { CallHead } from './CallHead.tsx'
import { CallScript } from './CallScript.tsx'
import classes from './Incoming.module.css'

/** How long the end of a conversation is shown. */
const GOES_AFTER_MS = 10_000
/** And one whose outcome is asked for: folded to its question after the time above. */
const ASKS_FOR_MS = 120_000

interface Props {
  call: IncomingCall
  /** Other cards are collapsed to one line. */
  opened: boolean
  onOpen: () => void
  onHide: () => void
  /** Opens the end dialog; `leaving`: closes the card afterwards. */
  onEnd: (leaving: boolean) => void
  onChanged: () => void
  /** Ends the wrap-up. */
  onReady: () => void
}

/** Card of a call: the caller, and actions with hotkeys. */
export function CallCard({ call, opened, onOpen, onHide, onEnd, onChanged, onReady }: Props) {
  const over = call.state === 'ended' || call.state === 'missed'
  const callProps = useCallProps(call.phone ?? '')
  const owes = useCan('view', Call) && call.state === 'ended' && call.needsEnd
  useHotkey('alt+n', () => onEnd(false), {
    label: 'Итог звонка',
    group: 'Входящий звонок',
    whileTyping: true,
    enabled: owes && opened,
  })
  // It goes by itself: the outcome can be given in the journal of calls, too.
  const isEnded = call.state === 'ended'
  const [folded, setFolded] = useState(false)
  const hide = useRef(onHide)
  hide.current = onHide
  useEffect(() => {
    if (!isEnded) return
    const folding = setTimeout(() => setFolded(true), GOES_AFTER_MS)
    const going = setTimeout(() => hide.current(), owes ? ASKS_FOR_MS : GOES_AFTER_MS)
    return () => {
      clearTimeout(folding)
      clearTimeout(going)
    }
  }, [isEnded, owes])
  const isOpen = opened && !folded
  return (
    <article className={classes.card} data-state={call.state} aria-label={`Звонок: ${nameOf(call)}`}>
      <CallHead call={call}>
        {!isOpen && (
          <IconButton
            icon={IconChevronDown}
            label={`Развернуть: ${nameOf(call)}`}
            onClick={() => {
              setFolded(false)
              onOpen()
            }}
          />
        )}
        <IconButton
          icon={IconX}
          label={over ? 'Закрыть' : 'Скрыть карточку звонка'}
          onClick={owes ? () => onEnd(true) : onHide}
        />
      </CallHead>
      {call.state === 'missed' && call.phone && (
        <HStack>
          <ActionButton label="Перезвонить" icon={IconPhoneOutgoing} size="compact-md" component="a" {...callProps} />
        </HStack>
      )}
      {(owes || call.wrapsSince) && (
        <HStack wrap gap={6}>
          {owes && (
            <ActionButton
              label="Чем закончился звонок?"
              icon={IconCircleCheck}
              size="compact-md"
              aria-keyshortcuts="Alt+N"
              title="Alt+N"
              onClick={() => onEnd(false)}
            />
          )}
          {call.wrapsSince && (
            <ActionButton
              label="Готов к звонку"
              icon={IconHeadset}
              size="compact-md"
              variant="default"
              title="Обработка закончена: её время войдёт в отчёт по звонкам"
              onClick={onReady}
            />
          )}
        </HStack>
      )}
      {isOpen ? <Body call={call} onChanged={onChanged} /> : call.callers.length === 1 && <Muted>{nameOf(call)}</Muted>}
    </article>
  )
}

const nameOf = ({ callers, phone }: IncomingCall): string =>
  callers.length === 1 ? (callers[0]?.fio ?? '') : phoneText(phone) || 'номер скрыт'

type Side = 'script' | 'check'

function Body({ call, onChanged }: { call: IncomingCall; onChanged: () => void }) {
  const actor = useActor()
  const go = useGo()
  const cache = useQueryClient()
  const [side, setSide] = useState<Side>()
  const [making, setMaking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { id, phone, callers } = call
  const [caller] = callers
  const seesJournal = useCan('view', Call)
  const seesCustomers = useCan('view', Customer)
  const mayMake = useCan('create', Customer)
  const mayAppeal = useCan('create', Appeal) && seesJournal
  const mayDeal = useCan('create', Lead) && mayAppeal
  const mayCheck = useCan('create', CallCheck)
  const seesScripts = useCan('view', OldScript)
  const mayBook = actor.permissions.createAppointments === true && pageAllowed(pageByKey('calendar'), actor)

  const once = async (run: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    try {
      await run()
    } catch (error) {
      notify.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const choose = (idCustomer: number) =>
    once(async () => {
      await api('POST /calls/:id/customer', { params: { id }, body: { idCustomer } }, { forbidden: 'silent' })
      onChanged()
    })
  const appealOf = () => api('POST /calls/:id/appeal', { params: { id } }, { forbidden: 'silent' })
  const appeal = () =>
    once(async () => {
      const made = await appealOf()
      await invalidateRecords(cache, Appeal.path)
      void go({ page: 'appeals', search: { open: made.id } })
    })
  const deal = () =>
    once(async () => {
      const made = await api(
        'POST /appeals/:id/lead',
        { params: { id: (await appealOf()).id } },
        { forbidden: 'silent' },
      )
      await invalidateRecords(cache, Appeal.path)
      void go({ page: 'deals', search: { funnel: made.idFunnel, lead: made.id } })
    })
  const book = () =>
    void go({ page: 'calendar', search: { book: true, customer: callers.length === 1 ? caller?.id : undefined } })
  const show = (one: Side) => setSide(side === one ? undefined : one)

  const acts: { label: string; letter: string; icon: TablerIcon; may: boolean; run: () => void; pressed?: boolean }[] =
    [
      { label: 'Запись', letter: 'z', icon: IconCalendarPlus, may: mayBook, run: book },
      { label: 'Сделка', letter: 'x', icon: IconBriefcase, may: mayDeal, run: () => void deal() },
      { label: 'Обращение', letter: 'c', icon: IconMessageReport, may: mayAppeal, run: () => void appeal() },
      {
        label: 'Скрипт',
        letter: 'v',
        icon: IconScript,
        may: seesScripts,
        run: () => show('script'),
        pressed: side === 'script',
      },
      {
        label: 'Чек-лист',
        letter: 'b',
        icon: IconListCheck,
        may: mayCheck,
        run: () => show('check'),
        pressed: side === 'check',
      },
    ]
  return (
    <>
      {seesCustomers &&
        (caller === undefined ? (
          <VStack gap={8}>
            <Muted>{phone ? 'Неизвестный номер: карты с ним нет' : 'Номер скрыт: кто звонит, неизвестно'}</Muted>
            {mayMake && (
              <HStack>
                <ActionButton label="Создать клиента" icon={IconUserPlus} onClick={() => setMaking(true)} />
              </HStack>
            )}
          </VStack>
        ) : callers.length === 1 ? (
          <CallerFacts caller={caller} />
        ) : (
          <VStack gap={12} component="ul" aria-label="Чей это номер">
            {callers.map((one) => (
              <Block component="li" key={one.id} className={classes.candidate}>
                <CallerFacts caller={one} />
                {seesJournal && (
                  <ActionButton
                    label="Это он"
                    aria-label={`Это он: ${one.fio}`}
                    variant="default"
                    size="compact-sm"
                    mt={8}
                    onClick={() => void choose(one.id)}
                  />
                )}
              </Block>
            ))}
          </VStack>
        ))}
      <HStack wrap gap={6}>
        {acts
          .filter(({ may }) => may)
          .map((act) => (
            <Act key={act.letter} {...act} disabled={busy} />
          ))}
      </HStack>
      {side === 'script' && <CallScript />}
      {side === 'check' && <CallCheckList idCall={id} />}
      {making && (
        <NewCustomer
          phone={phone}
          onMade={async (idCustomer) => {
            await api('POST /calls/:id/customer', { params: { id }, body: { idCustomer } }, { forbidden: 'silent' })
            onChanged()
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}

interface ActProps {
  label: string
  letter: string
  icon: TablerIcon
  run: () => void
  pressed?: boolean | undefined
  disabled: boolean
}

/** An action with a hotkey, which also works while typing elsewhere. */
function Act({ label, letter, icon, run, pressed, disabled }: ActProps) {
  useHotkey(`alt+${letter}`, run, { label, group: 'Входящий звонок', whileTyping: true })
  return (
    <ActionButton
      label={label}
      icon={icon}
      size="compact-sm"
      variant={pressed ? 'light' : 'default'}
      aria-pressed={pressed}
      aria-keyshortcuts={`Alt+${letter.toUpperCase()}`}
      title={`Alt+${letter.toUpperCase()}`}
      disabled={disabled}
      onClick={run}
    />
  )
}
