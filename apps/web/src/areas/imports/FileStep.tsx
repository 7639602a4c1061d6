import { Stack, Text, Textarea } from '@mantine/core'
import type { ImportPreview } from '@ordinator/model/areas/imports/wire'
import { IconClipboard, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { SendFile } from '#records/SendFile.tsx'
import { type ImportDialogProps, importCalls, type Params } from './importCalls.ts'

/** Equals the server's limit. */
const MAX_FILE = 20 * 1024 * 1024

interface Props extends ImportDialogProps {
  params: Params
  onPreview: (preview: ImportPreview) => void
}

/** Extensions of the tables that the server reads. */
const TABLES = ['csv', 'xlsx', 'dbf', 'txt']

export function FileStep({ kind, extensions = TABLES, hint, template, params, onPreview }: Props) {
  const [isPasting, setPasting] = useState(false)
  const send = async (file: File, onProgress: (share: number) => void, signal: AbortSignal) =>
    onPreview(await importCalls.preview(file, kind, params, onProgress, signal))
  return (
    <Stack gap="sm">
      {isPasting && <PastedTable send={(file, signal) => send(file, () => undefined, signal)} />}
      <SendFile
        label="Перетащите файл сюда или нажмите, чтобы выбрать"
        working="Проверяем"
        extensions={extensions}
        maxSize={MAX_FILE}
        send={(file, { onProgress, signal }) => send(file, onProgress, signal)}
      />
      <HStack gap="8px 12px" justify="space-between" wrap>
        <Text fz={13} c="dimmed">
          {hint}
        </Text>
        <ActionButton
          label="Вставить таблицу"
          variant="subtle"
          size="compact-sm"
          icon={IconClipboard}
          aria-expanded={isPasting}
          onClick={() => setPasting(!isPasting)}
        />
        {template && (
          <ActionButton
            label="Скачать шаблон"
            variant="subtle"
            size="compact-sm"
            icon={IconFileSpreadsheet}
            onClick={() => void importCalls.saveTemplate(kind).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
      </HStack>
    </Stack>
  )
}

interface PastedProps {
  send: (file: File, signal: AbortSignal) => Promise<void>
}

/** Rows pasted from a spreadsheet, read as a file. */
function PastedTable({ send }: PastedProps) {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await send(new File([text], 'Вставленная таблица.csv', { type: 'text/csv' }), new AbortController().signal)
    } catch (error) {
      setRefusal(error instanceof ApiError ? (error.byField.file ?? errorMessage(error)) : errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="xs">
      <Textarea
        label="Строки таблицы"
        description="Скопируйте их в Excel вместе с названиями колонок и вставьте сюда"
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
        value={text}
        error={refusal}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ActionButton
        label="Проверить таблицу"
        loading={busy}
        disabled={!text.trim()}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => void check()}
      />
    </Stack>
  )
}
