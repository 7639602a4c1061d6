import { Alert, FileInput } from '@mantine/core'
import { MAX_CHECKED, signatureStates } from '@ordinator/model/areas/signatures/certificate'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { base64Of } from './base64.ts'

type Checked = Answer<'POST /signatures/verify'>
export const stateColors = { valid: 'teal', invalid: 'red', unknown: 'yellow' } as const

/** Checks a signature of a file, and shows the signer. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const [content, setContent] = useState<File | null>(null)
  const [signature, setSignature] = useState<File | null>(null)
  const [checked, setChecked] = useState<Checked>()
  return (
    <ActionDialog
      title="Проверить подпись"
      action="Проверить"
      cancel="Закрыть"
      faults={{
        content: !content ? 'Выберите файл' : content.size > MAX_CHECKED && 'Файл больше 1 МБ',
        signature: !signature && 'Выберите файл подписи (.sig, .p7s)',
      }}
      run={async () => {
        if (!content || !signature) return false
        setChecked(
          await api('POST /signatures/verify', {
            body: { content: await base64Of(content), signature: await base64Of(signature) },
          }),
        )
        return false
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <FileInput
            label="Файл"
            placeholder="Что подписано"
            value={content}
            onChange={setContent}
            error={errorOf('content')}
            clearable
          />
          <FileInput
            label="Подпись"
            placeholder="Отсоединённая подпись: .sig, .p7s"
            value={signature}
            onChange={setSignature}
            error={errorOf('signature')}
            clearable
          />
          {checked && (
            <Alert
              color={stateColors[checked.state]}
              variant="light"
              title={`${signatureStates[checked.state]}: ${checked.words}`}
            >
              {checked.signer && `${checked.signer.owner}, отпечаток ${checked.signer.thumbprint}`}
            </Alert>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
