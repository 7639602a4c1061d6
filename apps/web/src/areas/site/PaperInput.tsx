import { Anchor, Input } from '@mantine/core'
import { SiteFile } from '@ordinator/model/areas/site/page'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useFileInput } from '#kit/FilePicker.tsx'
import { rulesText } from '#kit/fileRules.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { useRecord } from '#records/reads.ts'
import { rulesOf } from '#records/uploads.ts'

const rules = rulesOf(SiteFile)

/** File of a document: uploaded at once, saved with the form. */
export function PaperInput({ value, onChange, label, description, error, readOnly }: InputProps) {
  const [failed, setFailed] = useState<string>()
  const [sending, setSending] = useState(false)
  const id = typeof value === 'number' ? value : undefined
  const file = useRecord(SiteFile, id, {}, { forbidden: 'silent' })
  const send = async ([chosen]: File[]) => {
    if (!chosen) return
    setFailed(undefined)
    setSending(true)
    try {
      onChange((await uploadFile(SiteFile, chosen, { forbidden: 'silent' })).id)
    } catch (thrown) {
      setFailed(errorMessage(thrown))
    }
    setSending(false)
  }
  const [input, choose] = useFileInput({ ...rules, onFiles: (chosen) => void send(chosen) })
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={failed ?? error}>
      <HStack gap={8} wrap>
        {id !== undefined && (
          <Anchor href={apiUrl('GET /files/:id', { params: { id } })} target="_blank" rel="noopener">
            {file.data?.name ?? `Файл № ${id}`}
          </Anchor>
        )}
        {!readOnly && (
          <>
            {input}
            <ActionButton
              label={id === undefined ? 'Приложить файл' : 'Заменить файл'}
              size="compact-sm"
              variant="default"
              icon={IconPaperclip}
              loading={sending}
              onClick={choose}
            />
            {id !== undefined && (
              <ActionButton
                label="Убрать файл"
                size="compact-sm"
                variant="subtle"
                color="gray"
                icon={IconX}
                onClick={() => onChange(null)}
              />
            )}
            {id === undefined && <Fine>{rulesText(rules)}</Fine>}
          </>
        )}
      </HStack>
    </Input.Wrapper>
  )
}
