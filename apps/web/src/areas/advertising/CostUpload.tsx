import { Alert } from '@mantine/core'
import { AdCampaign, AdCost } from '@ordinator/model/areas/advertising/campaign'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'

const MAX_SIZE = 2_097_152

/** Imports costs exported by an advertising platform. @param idCampaign the only campaign; absent: named in the file */
export function CostUpload({ idCampaign }: { idCampaign?: number }) {
  const cache = useQueryClient()
  const [problems, setProblems] = useState<readonly string[]>([])
  const upload = async ([file]: File[]) => {
    if (!file) return
    try {
      const { added, changed, problems } = await api('POST /advertising/costs/import', {
        query: { campaign: idCampaign },
        body: new Blob([file], { type: 'application/octet-stream' }),
      })
      notify.success(`Дней добавлено: ${added}, заменено: ${changed}`, { title: 'Расходы загружены' })
      setProblems(problems)
      await Promise.all([invalidateRecords(cache, AdCost.path), invalidateRecords(cache, AdCampaign.path)])
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Файл не загружен' })
    }
  }
  return (
    <>
      <FilePicker onFiles={(files) => void upload(files)} extensions={['csv', 'txt']} maxSize={MAX_SIZE}>
        Расходы из CSV
      </FilePicker>
      {problems.length > 0 && (
        <Dialog title="Не всё загрузилось" onClose={() => setProblems([])}>
          <Alert color="yellow" variant="light">
            <VStack component="ul" gap={4}>
              {problems.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </VStack>
          </Alert>
        </Dialog>
      )}
    </>
  )
}
