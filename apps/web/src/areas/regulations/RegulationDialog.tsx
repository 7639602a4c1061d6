import { Button, Center, Loader } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBook2 } from '@tabler/icons-react'
import { useRef } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import frame from '#kit/openCard.module.css'
import { StatePage } from '#kit/StatePage.tsx'
import type { RegulationsAddress, SetRegulationsAddress } from './address.ts'
import { useRegulation } from './calls.ts'
import { RegulationEditor } from './editor/RegulationEditor.tsx'
import classes from './RegulationDialog.module.css'
import { RegulationViewer } from './view/RegulationViewer.tsx'

interface Props {
  address: RegulationsAddress
  setAddress: SetRegulationsAddress
}

/** A regulation over the list: view, edit or create; state in the URL. */
export default function RegulationDialog({ address: { id, mode }, setAddress }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const closing = useRef<() => void>(undefined)
  const found = useRegulation(id)
  const view = found.data
  const close = () => setAddress({ id: undefined, mode: undefined })
  const editing = id === undefined || (mode === 'edit' && view?.canEdit === true)
  // A deleted record is still in the cache: the error of the last read decides.
  const gone = found.error instanceof ApiError && [403, 404].includes(found.error.status)
  useRecordTitle(gone ? undefined : view?.name)
  const leave = () => (closing.current ?? close)()
  return (
    <Dialog
      onClose={leave}
      withCloseButton={false}
      size={1120}
      padding={0}
      fullScreen={phone}
      centered={false}
      yOffset="4dvh"
      returnFocus={false}
      closeOnClickOutside={!editing}
      classNames={{ content: frame.content, body: `${frame.body} ${classes.body}` }}
      attributes={{
        content: { 'aria-label': id === undefined ? 'Новый регламент' : (view?.name ?? 'Регламент') },
      }}
    >
      {id === undefined ? (
        <RegulationEditor
          closing={closing}
          onSaved={(saved) => setAddress({ id: saved.id, mode: undefined }, { replace: true })}
          onClose={close}
        />
      ) : view && !gone ? (
        editing ? (
          <RegulationEditor
            key={id}
            view={view}
            closing={closing}
            onSaved={() => setAddress({ mode: undefined }, { replace: true })}
            onClose={() => setAddress({ mode: undefined })}
          />
        ) : (
          <RegulationViewer key={id} view={view} setAddress={setAddress} onClose={close} />
        )
      ) : found.isPending ? (
        <Center className={classes.waiting} role="status">
          <Loader size="sm" /> Загрузка данных...
        </Center>
      ) : (
        <Missing error={found.error} onRetry={() => void found.refetch()} onClose={close} />
      )}
    </Dialog>
  )
}

function Missing({ error, onRetry, onClose }: { error: Error | null; onRetry: () => void; onClose: () => void }) {
  const status = error instanceof ApiError ? error.status : 0
  const isMissing = status === 404
  return (
    <StatePage
      size="block"
      icon={IconBook2}
      title={
        isMissing ? 'Регламент не найден' : status === 403 ? 'Нет доступа к регламенту' : 'Ошибка при загрузке данных'
      }
      text={isMissing ? 'Его удалили, или он ещё не введён в действие.' : errorMessage(error)}
      actions={
        <>
          {!isMissing && status !== 403 && <Button onClick={onRetry}>Повторить</Button>}
          <ActionButton label="Вернуться к регламентам" variant="light" onClick={onClose} />
        </>
      }
    />
  )
}
