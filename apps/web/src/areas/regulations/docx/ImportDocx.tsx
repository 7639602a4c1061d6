import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import type { RegulationImport } from '@ordinator/model/areas/regulations/wire'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../../app/apiError.ts'
import { upload } from '../../../app/upload.ts'
import { Dropzone } from '../../../kit/FilePicker.tsx'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import type { FormToolProps } from '../sections.ts'
import { ImportPreview } from './ImportPreview.tsx'

/** As the server's. */
const MAX_FILE = 20 * 1024 * 1024
const extensions = ['docx'] as const

interface Props extends FormToolProps {
  onClose: () => void
}

/** A document of Word is chosen and looked through; nothing is saved before the form is. */
export function ImportDocx({ onClose, ...form }: Props) {
  useReturnFocus()
  const [found, setFound] = useState<RegulationImport>()
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [refusal, setRefusal] = useState<string>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const send = async ([file]: File[]) => {
    if (!file) return
    const { signal } = (stop.current = new AbortController())
    setRefusal(undefined)
    setSending({ name: file.name, share: 0 })
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share })
      setFound(await upload<RegulationImport>('/regulations/model/import-docx', file, { onProgress, signal }))
    } catch (error) {
      const isTold = signal.aborted || (error instanceof ApiError && error.status === 403)
      if (!isTold) setRefusal(error instanceof ApiError ? (error.byField.file ?? error.message) : errorMessage(error))
    } finally {
      setSending(undefined)
    }
  }
  return (
    <Modal opened onClose={onClose} title="Импорт из DOCX" size={640} zIndex={300}>
      {found ? (
        <ImportPreview found={found} {...form} onBack={() => setFound(undefined)} onClose={onClose} />
      ) : (
        <Stack gap="sm">
          {refusal && (
            <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
              {refusal}
            </Alert>
          )}
          {sending ? (
            <div role="status">
              <Group justify="space-between" gap={8}>
                <span>{sending.share < 1 ? `Загружаем «${sending.name}»…` : `Читаем «${sending.name}»…`}</span>
                <Button variant="subtle" size="compact-sm" onClick={() => stop.current?.abort()}>
                  Отмена
                </Button>
              </Group>
              <Progress value={sending.share * 100} animated={sending.share === 1} mt={8} aria-label="Загрузка файла" />
            </div>
          ) : (
            <Dropzone
              label="Перетащите документ сюда или нажмите, чтобы выбрать"
              multiple={false}
              extensions={extensions}
              maxSize={MAX_FILE}
              onFiles={(files) => void send(files)}
            />
          )}
          <Text c="dimmed" size="sm">
            Заголовки документа станут шагами, текст под ними — описаниями. Если заголовков нет, шаги найдутся по
            нумерации. Сохранится только то, что вы сохраните в форме.
          </Text>
        </Stack>
      )}
    </Modal>
  )
}
