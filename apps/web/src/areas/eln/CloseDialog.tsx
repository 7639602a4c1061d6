import { SegmentedControl } from '@mantine/core'
import { CONTINUES } from '@ordinator/model/areas/eln/faults'
import { messages } from '@ordinator/model/messages'
import { api } from '#base/api.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { CodeSelect } from './CodeSelect.tsx'
import { type LeaveRow, type LeaveState, toast, useReread } from './leave.ts'

interface Props {
  leave: LeaveRow
  state: LeaveState
  onClose: () => void
}

/** Result code «приступить к работе с»: needs the day of the return. */
const RETURNS = '36'

/** Closes a sheet: return to work, or another result with its day. */
export function CloseDialog({ leave, state, onClose }: Props) {
  const reread = useReread()
  return (
    <FormDialog
      title="Закрыть лист"
      action="Закрыть"
      draft={{
        kind: 'work' as 'work' | 'other',
        workFrom: state.nextStart as string | null,
        resultCode: null as string | null,
        resultDate: null as string | null,
      }}
      faults={({ kind, workFrom, resultCode }) => ({
        workFrom: kind === 'work' && !workFrom && messages.required,
        resultCode: kind === 'other' && !resultCode && messages.required,
      })}
      send={({ kind, workFrom, resultCode, resultDate }) =>
        api(
          'POST /eln/:id/close',
          {
            params: { id: leave.id },
            body: {
              ...(kind === 'work'
                ? { workFrom }
                : { resultCode, resultDate, workFrom: resultCode === RETURNS ? workFrom : null }),
              _version: leave._version,
            },
          },
          toast,
        )
      }
      done={async () => {
        await reread()
        notify.success('Лист закрыт: подпишите его и отправьте')
      }}
      onClose={onClose}
    >
      {({ draft: { kind, resultCode }, value, choice }) => (
        <VStack gap={12}>
          <SegmentedControl
            aria-label="Чем кончилось"
            data={[
              { value: 'work', label: 'К работе' },
              { value: 'other', label: 'Иное' },
            ]}
            {...choice('kind')}
          />
          {kind === 'other' && <CodeSelect kind="result" label="Иное" required {...value('resultCode')} />}
          {(kind === 'work' || resultCode === RETURNS) && (
            <DateField
              label="Приступить к работе с"
              required={kind === 'work'}
              description={kind === 'work' ? 'Назавтра после последнего дня листа' : undefined}
              {...value('workFrom')}
            />
          )}
          {kind === 'other' && resultCode !== CONTINUES && resultCode !== RETURNS && (
            <DateField label="День, к которому это относится" {...value('resultDate')} />
          )}
        </VStack>
      )}
    </FormDialog>
  )
}
