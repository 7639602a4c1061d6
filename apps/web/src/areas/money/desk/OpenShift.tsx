import { Alert } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { readMoney, rememberDesk, useDeskState, useOperationKey } from '../reads.ts'

/** Opens the shift of a desk; its failure is shown. */
export function useOpenShift(idDesk: number): { open: () => Promise<void>; isBusy: boolean } {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    try {
      await api('POST /cash-shifts/open', { body: { key, idDesk } }, { forbidden: 'toast' })
      // The user who opens the shift works at this desk from now on.
      rememberDesk(idDesk)
      notify.success('Смена открыта')
    } catch (error) {
      notify.error(errorMessage(error))
    }
    renew()
    await readMoney(cache)
    setBusy(false)
  }
  return { open, isBusy }
}

/** Shows before the payment that the desk has no open shift, and opens it. */
export function ClosedShift({ idDesk }: { idDesk: number }) {
  const { data } = useDeskState(idDesk)
  const { open, isBusy } = useOpenShift(idDesk)
  if (!data || data.shift) return null
  return (
    <Alert color="yellow" variant="light" title="Смена кассы не открыта">
      <HStack mt={4}>
        <ActionButton
          label="Открыть смену"
          icon={IconLockOpen}
          size="xs"
          loading={isBusy}
          onClick={() => void open()}
        />
      </HStack>
    </Alert>
  )
}
