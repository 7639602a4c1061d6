import { Alert } from '@mantine/core'
import { type SignatureCertificate, signatureStates } from '@ordinator/model/areas/signatures/certificate'
import type { Row } from '@ordinator/model/entity'
import { IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { toBase64 } from './base64.ts'
import { type SigningError, signingError } from './plugin/plugin.ts'
import { useSigning } from './useSigning.ts'
import { stateColors } from './VerifyDialog.tsx'

/** Test signature with this certificate, checked by the server. */
export function TestSign({ certificate }: { certificate: Row<typeof SignatureCertificate> }) {
  const { plugin } = useSigning()
  const [busy, setBusy] = useState(false)
  const [checked, setChecked] = useState<Answer<'POST /signatures/verify'>>()
  const [failure, setFailure] = useState<SigningError>()
  const run = async () => {
    if (!plugin) return
    setBusy(true)
    setChecked(undefined)
    setFailure(undefined)
    try {
      const content = toBase64(new TextEncoder().encode(`Проверка подписи, ${new Date().toISOString()}`))
      const signature = await plugin.sign(certificate.thumbprint, content)
      setChecked(await api('POST /signatures/verify', { body: { content, signature } }))
    } catch (error) {
      setFailure(signingError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <VStack gap={12}>
      <Fine>Подпишем строку текста этим сертификатом и проверим на сервере. Ничего никуда не отправляется.</Fine>
      <ActionButton
        label="Подписать для проверки"
        icon={IconSignature}
        loading={busy}
        disabled={!plugin}
        onClick={() => void run()}
      />
      {failure && (
        <Alert color={failure.isRefusal ? 'gray' : 'red'} variant="light" title={failure.message}>
          {failure.mend}
        </Alert>
      )}
      {checked && (
        <Alert
          color={stateColors[checked.state]}
          variant="light"
          title={`${signatureStates[checked.state]}: ${checked.words}`}
        >
          {checked.signer?.owner}
        </Alert>
      )}
    </VStack>
  )
}
