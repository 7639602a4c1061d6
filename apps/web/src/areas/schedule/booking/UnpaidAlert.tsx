import { Alert } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { TakeDialog } from '#areas/money/index.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'

interface Props {
  /** Message of the server: amount and reason. */
  message: string
  idCustomer: number
  idFilial: number
  /** Repeats the check after a payment. */
  onTaken: () => void
}

/** Prepayment required: amount, and a button to take it. */
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
