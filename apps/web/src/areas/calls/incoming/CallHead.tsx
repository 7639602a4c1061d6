import { type IncomingState, incomingStates } from '@ordinator/model/areas/calls/call'
import type { IncomingCall } from '@ordinator/model/areas/calls/calls'
import { formatDuration } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { IconPhoneCheck, IconPhoneIncoming, IconPhoneOff, IconPhoneX, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useNow } from '#kit/useNow.ts'
import { Fine } from '#kit/Words.tsx'
import classes from './Incoming.module.css'

const icons: Record<IncomingState, TablerIcon> = {
  ringing: IconPhoneIncoming,
  talking: IconPhoneCheck,
  ended: IconPhoneOff,
  missed: IconPhoneX,
}

/** State, duration, number and line of the call. */
export function CallHead({ call, children }: { call: IncomingCall; children?: ReactNode }) {
  const { state, phone, line, filial, queue } = call
  const Icon = icons[state]
  const way = [filial ?? phoneText(line), queue && `очередь ${queue}`].filter(Boolean).join(', ')
  return (
    <VStack gap={4}>
      <HStack gap={8}>
        <Icon
          size={18}
          aria-hidden
          color={state === 'missed' ? 'var(--mantine-color-error)' : 'var(--mantine-primary-color-filled)'}
        />
        <h2 className={classes.state}>{incomingStates[state]}</h2>
        {(state === 'ringing' || state === 'talking') && <Timer since={call.dateAnswer ?? call.dateCreate} />}
        {call.wrapsSince && (
          <Fine component="span">
            обработка <Timer since={call.wrapsSince} />
          </Fine>
        )}
        {children}
      </HStack>
      <HStack wrap gap="2px 12px">
        <strong>{phone ? <PhoneLink phone={phone} /> : 'Номер скрыт'}</strong>
        {way && <Fine>{way}</Fine>}
      </HStack>
    </VStack>
  )
}

function Timer({ since }: { since: string }) {
  const seconds = Math.max(0, Math.round((useNow(1_000) - Date.parse(since)) / 1_000))
  return (
    <Fine component="span" className="tabular">
      {formatDuration(seconds)}
    </Fine>
  )
}
