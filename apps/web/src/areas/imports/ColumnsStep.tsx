import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import type { ImportMapping, ImportPreview, TableReading as Reading } from '@ordinator/model/areas/imports/wire'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FileColumns, hasRequired, UnusedColumns } from '#kit/FileColumns.tsx'
import { HStack } from '#kit/Stacks.tsx'
import type { ImportDialogProps, Params } from './importCalls.ts'
import { TableReading } from './TableReading.tsx'

interface Props {
  preview: ImportPreview
  params: Params
  options: NonNullable<ImportDialogProps['options']>
  busy: boolean
  onBack: () => void
  /** Rereads with another encoding or header; columns are guessed again. */
  onReread: (reading: Reading, params: Params) => void
  onNext: (mapping: ImportMapping, params: Params) => void
}

/** Mapping of file columns, with samples. */
export function ColumnsStep({ preview, params, options, busy, onBack, onReread, onNext }: Props) {
  const [mapping, setMapping] = useState<ImportMapping>(preview.mapping)
  const [chosen, setChosen] = useState(params)
  return (
    <Stack gap="md">
      <Text fz={13} c="dimmed">
        Проверьте, из какой колонки файла «{preview.fileName}» взять каждое поле.
      </Text>
      <TableReading preview={preview} busy={busy} onChange={(reading) => onReread(reading, chosen)} />
      <UnusedColumns head={preview.head} mapping={mapping} />
      <FileColumns columns={preview.columns} head={preview.head} mapping={mapping} onChange={setMapping} />
      {options.map(({ param, label, choices }) =>
        choices ? (
          <Radio.Group
            key={param}
            label={label}
            value={String(chosen[param])}
            onChange={(value) => setChosen({ ...chosen, [param]: value })}
          >
            <HStack gap="8px 24px" mt={8} wrap>
              {Object.entries(choices).map(([value, words]) => (
                <Radio key={value} value={value} label={words} />
              ))}
            </HStack>
          </Radio.Group>
        ) : (
          <Checkbox
            key={param}
            label={label}
            checked={chosen[param] === true}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [param]: currentTarget.checked })}
          />
        ),
      )}
      <Group justify="flex-end" gap="xs">
        <ActionButton label="Другой файл" variant="default" onClick={onBack} />
        <ActionButton
          label="Проверить"
          loading={busy}
          disabled={!hasRequired({ columns: preview.columns, mapping })}
          onClick={() => onNext(mapping, chosen)}
        />
      </Group>
    </Stack>
  )
}
