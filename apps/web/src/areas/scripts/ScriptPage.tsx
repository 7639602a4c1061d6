import { Button } from '@mantine/core'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft, IconMessageOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useGo } from '#base/address.ts'
import { ApiError } from '#base/apiError.ts'
import { useRecordTitle } from '#base/title.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { useRecord } from '#records/reads.ts'
import { ScriptEditor } from './editor/ScriptEditor.tsx'
import { ScriptMenu } from './list/ScriptMenu.tsx'
import { UsedBy } from './list/UsedBy.tsx'

/** A script, open for editing. */
export default function ScriptPage() {
  const id = Number((useParams({ strict: false }) as { id?: string }).id)
  const isId = Number.isSafeInteger(id) && id > 0
  const go = useGo()
  const toList = () => void go({ page: 'scripts' })
  const found = useRecord(OldScript, isId ? id : undefined)
  useRecordTitle(found.data?.name)
  if (!isId || (found.error instanceof ApiError && found.error.status === 404))
    return (
      <StatePage
        icon={IconMessageOff}
        title="Скрипт не найден"
        text="Возможно, его удалили."
        actions={<Button onClick={toList}>Все скрипты</Button>}
      />
    )
  if (found.isError)
    return <ErrorState title="Скрипт не загрузился" error={found.error} onRetry={() => void found.refetch()} />
  return (
    <>
      <PageHead
        start={<IconButton icon={IconArrowLeft} label="Все скрипты" onClick={toList} />}
        title={found.data?.name ?? 'Скрипт'}
        help={pageByKey('script').help}
        actions={
          found.data && (
            <>
              <UsedBy id={id}>Где используется</UsedBy>
              <ScriptMenu script={found.data} onRemoved={toList} />
            </>
          )
        }
      />
      {found.isPending ? (
        <LinesSkeleton lines={10} />
      ) : (
        <ScriptEditor
          key={id}
          script={found.data}
          onSaved={() => notify.success('Скрипт сохранён')}
          onCancel={toList}
        />
      )}
    </>
  )
}
