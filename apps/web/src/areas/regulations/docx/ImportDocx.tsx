import { Stack, Text } from '@mantine/core'
import type { RegulationImport } from '@ordinator/model/areas/regulations/wire'
import { useState } from 'react'
import { upload } from '#base/apiUpload.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { SendFile } from '#records/SendFile.tsx'
import type { FormToolProps } from './FormToolProps.ts'
import { ImportPreview } from './ImportPreview.tsx'

/** Equals the server's limit. */
const MAX_FILE = 20 * 1024 * 1024
const extensions = ['docx'] as const

interface Props extends FormToolProps {
  onClose: () => void
}

/** Imports a Word document: choose and preview; saved only with the form. */
export function ImportDocx({ onClose, ...form }: Props) {
  const [found, setFound] = useState<RegulationImport>()
  return (
    <Dialog onClose={onClose} title="Импорт из DOCX" size={640}>
      {found ? (
        <ImportPreview found={found} {...form} onBack={() => setFound(undefined)} onClose={onClose} />
      ) : (
        <Stack gap="sm">
          <SendFile
            label="Перетащите документ сюда или нажмите, чтобы выбрать"
            working="Читаем"
            extensions={extensions}
            maxSize={MAX_FILE}
            send={async (file, options) =>
              setFound(await upload('POST /regulations/model/import-docx', { body: file }, options))
            }
          />
          <Text c="dimmed" size="sm">
            Заголовки документа станут шагами, текст под ними — описаниями. Если заголовков нет, шаги найдутся по
            нумерации. Сохранится только то, что вы сохраните в форме.
          </Text>
        </Stack>
      )}
    </Dialog>
  )
}
