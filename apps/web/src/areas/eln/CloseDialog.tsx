import { SegmentedControl } from '@mantine/core'
import { CONTINUES } from '@ordinator/model/areas/eln/rules'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { CodeSelect } from './CodeSelect.tsx'
import { type LeaveRow, type LeaveState, toast, useReread } from './leave.ts'

interface Props {
  leave: LeaveRow
  state: LeaveState
  onClose: () => void
}

/** Closes a sheet: return to work, or another result with its day. */
export function CloseDialog({ leave, state, onClose }: Props) {
  const reread = useReread()
  const [kind, setKind] = useState<'work' | 'other'>('work')
  const [workFrom, setWork] = useState<string | null>(state.nextStart)
  const [resultCode, setCode] = useState<string | null>(null)
  const [resultDate, setDate] = useState<string | null>(null)
  const isWork = kind === 'work'
  return (
    <ActionDialog
      title="Закрыть лист"
      action="Закрыть"
      faults={{
        workFrom: isWork && !workFrom && messages.required,
        resultCode: !isWork && !resultCode && messages.required,
      }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /eln/:id/close',
          {
            params: { id: leave.id },
            body: isWork
              ? { workFrom, _version: leave._version }
              : { resultCode, resultDate, workFrom: resultCode === '36' ? workFrom : null, _version: leave._version },
          },
          toast,
        )
        await reread()
        notify.success('Лист закрыт: подпишите его и отправьте')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <SegmentedControl
            aria-label="Чем кончилось"
            data={[
              { value: 'work', label: 'К работе' },
              { value: 'other', label: 'Иное' },
            ]}
            value={kind}
            onChange={(value) => setKind(value as typeof kind)}
          />
          {!isWork && (
            <CodeSelect
              kind="result"
              label="Иное"
              required
              value={resultCode}
              error={errorOf('resultCode')}
              onChange={setCode}
            />
          )}
          {(isWork || resultCode === '36') && (
            <DateField
              label="Приступить к работе с"
              required={isWork}
              description={isWork ? 'Назавтра после последнего дня листа' : undefined}
              value={workFrom}
              error={errorOf('workFrom')}
              onChange={setWork}
            />
          )}
          {!isWork && resultCode !== CONTINUES && resultCode !== '36' && (
            <DateField
              label="День, к которому это относится"
              value={resultDate}
              error={errorOf('resultDate')}
              onChange={setDate}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
