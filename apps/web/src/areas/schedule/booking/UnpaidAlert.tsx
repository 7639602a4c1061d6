import { Alert } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { TakeDialog } from '#areas/money/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'

interface Props {
  /** What the server said: how much is wanted, and why. */
  message: string
  idCustomer: number
  idFilial: number
  /** Money may have come: ask again. */
  onTaken: () => void
}

/** A patient is booked only with money on the account: how much, and the desk that takes it at once. */
export function UnpaidAlert({ message, idCustomer, idFilial, onTaken }: Props) {
  const actor = useActor()
  const [taking, setTaking] = useState(false)
  return (
    <Alert color="red" variant="light" role="alert">
      {message}
      {allowed(actor, 'takePayments') && (
        <ActionButton
          label="Принять аванс…"
          icon={IconCash}
          variant="default"
          size="compact-sm"
          display="block"
          mt={8}
          onClick={() => setTaking(true)}
        />
      )}
      {taking && (
        <TakeDialog
          idCustomer={idCustomer}
          idFilial={idFilial}
          about={message}
          onClose={() => {
            setTaking(false)
            onTaken()
          }}
        />
      )}
    </Alert>
  )
}
