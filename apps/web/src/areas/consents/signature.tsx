import { SegmentedControl } from '@mantine/core'
import { CustomerFile } from '@ordinator/model/areas/customers/files'
import { messages } from '@ordinator/model/messages'
import { IconFileTypePdf } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { uploadFile } from '#base/apiUpload.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { rulesOf } from '#records/uploads.ts'
import { SmsCode } from './SmsCode.tsx'

/** State of a signature being taken: on paper, or by a text message code. */
export function useSignature() {
  const [method, setMethod] = useState<'paper' | 'sms'>('paper')
  const [signedOn, setSignedOn] = useState<string | null>(today())
  const [scan, setScan] = useState<File>()
  const [code, setCode] = useState('')
  return {
    method,
    setMethod,
    signedOn,
    setSignedOn,
    scan,
    setScan,
    code,
    setCode,
    faults:
      method === 'sms' ? { code: !code.trim() && messages.required } : { signedOn: !signedOn && messages.required },
    /** For a paper signature: its day, and the uploaded scan. */
    paper: async (): Promise<{ signedOn?: string; idFile?: number }> => ({
      signedOn: signedOn ?? undefined,
      idFile: scan && (await uploadFile(CustomerFile, scan)).id,
    }),
  }
}

interface Props {
  signature: ReturnType<typeof useSignature>
  /** Errors shown by the dialog at the fields. */
  errors: Readonly<Record<'signedOn' | 'code', string | undefined>>
  onPrint: () => void
  /** Source of the code. */
  sms: Pick<ComponentProps<typeof SmsCode>, 'queryKey' | 'read' | 'ask'>
}

/** Method of the signature, with its fields. */
export function SignatureFields({ signature, errors, onPrint, sms }: Props) {
  const { method, setMethod, signedOn, setSignedOn, scan, setScan, code, setCode } = signature
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Способ подписи"
        value={method}
        onChange={(value) => setMethod(value as typeof method)}
        data={[
          { value: 'paper', label: 'На бумаге' },
          { value: 'sms', label: 'Кодом из СМС' },
        ]}
      />
      {method === 'paper' ? (
        <>
          <HStack gap={8} wrap>
            <ActionButton label="Скачать для печати" variant="default" icon={IconFileTypePdf} onClick={onPrint} />
            <FilePicker {...rulesOf(CustomerFile)} onFiles={([file]) => setScan(file)}>
              {scan ? `Скан: ${scan.name}` : 'Приложить скан'}
            </FilePicker>
          </HStack>
          <DateField
            label="Дата подписи"
            required
            max={today()}
            value={signedOn}
            error={errors.signedOn}
            onChange={setSignedOn}
          />
        </>
      ) : (
        <SmsCode {...sms} code={code} error={errors.code} onCode={setCode} />
      )}
    </>
  )
}
