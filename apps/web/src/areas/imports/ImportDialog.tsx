import { useMediaQuery } from '@mantine/hooks'
import type { ImportMapping, ImportPreview, TableReading } from '@ordinator/model/areas/imports/wire'
import { useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { notify } from '#kit/notify.tsx'
import { CheckStep } from './CheckStep.tsx'
import { ColumnsStep } from './ColumnsStep.tsx'
import { FileStep } from './FileStep.tsx'
import classes from './ImportDialog.module.css'
import { ImportHistory } from './ImportHistory.tsx'
import { type ImportDialogProps, importCalls, type Params } from './importCalls.ts'
import { RunStep } from './RunStep.tsx'

type Step = 'file' | 'columns' | 'check' | 'run'
const steps: Record<Step, string> = { file: 'Файл', columns: 'Колонки', check: 'Проверка', run: 'Импорт' }

/**
 * Import wizard: file, columns, check, run. The import continues when the dialog is closed, and is listed in the
 * history.
 */
export default function ImportDialog(props: ImportDialogProps) {
  const { kind, title, options = [], onClose } = props
  const small = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const [step, setStep] = useState<Step>('file')
  const [preview, setPreview] = useState<ImportPreview>()
  const [params, setParams] = useState<Params>({
    ...props.params,
    ...Object.fromEntries(options.map(({ param, choices }) => [param, choices ? Object.keys(choices)[0] : false])),
  })
  const [idImport, setIdImport] = useState<number>()
  const [busy, setBusy] = useState(false)
  const isTable = preview === undefined || preview.head.length > 0
  const shownSteps = (Object.keys(steps) as Step[]).filter((one) => one !== 'columns' || isTable)

  /** An error is shown in a toast, and the step stays. */
  const doing = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) notify.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const check = (mapping: ImportMapping, chosen: Params) =>
    doing(async () => {
      setPreview(
        await importCalls.check({ upload: preview?.upload ?? '', mapping, reading: preview?.reading, params: chosen }),
      )
      setParams(chosen)
      setStep('check')
    })
  const reread = (reading: TableReading, chosen: Params) =>
    doing(async () => {
      setPreview(await importCalls.check({ upload: preview?.upload ?? '', reading, params: chosen }))
      setParams(chosen)
    })
  const start = (skipWrong: boolean) =>
    doing(async () => {
      const { upload = '', mapping = {}, reading } = preview ?? {}
      setIdImport((await importCalls.start({ upload, mapping, reading, params, skipWrong })).id)
      setStep('run')
    })

  return (
    <Dialog onClose={onClose} title={title} size={880} fullScreen={small} closeOnClickOutside={step === 'file'}>
      <ol className={classes.steps} aria-label="Шаги импорта">
        {shownSteps.map((one) => (
          <li
            key={one}
            aria-current={one === step ? 'step' : undefined}
            data-done={shownSteps.indexOf(one) < shownSteps.indexOf(step) || undefined}
          >
            {steps[one]}
          </li>
        ))}
      </ol>
      {step === 'file' && (
        <>
          <FileStep
            {...props}
            params={params}
            onPreview={(found) => {
              setPreview(found)
              setStep(found.head.length > 0 ? 'columns' : 'check')
            }}
          />
          <ImportHistory kind={kind} />
        </>
      )}
      {step === 'columns' && preview && (
        <ColumnsStep
          key={`${preview.reading?.encoding} ${preview.reading?.headLine}`}
          preview={preview}
          params={params}
          options={options}
          busy={busy}
          onBack={() => setStep('file')}
          onReread={(reading, chosen) => void reread(reading, chosen)}
          onNext={(mapping, chosen) => void check(mapping, chosen)}
        />
      )}
      {step === 'check' && preview && (
        <CheckStep
          preview={preview}
          busy={busy}
          onBack={() => setStep(isTable ? 'columns' : 'file')}
          onStart={(skipWrong) => void start(skipWrong)}
        />
      )}
      {step === 'run' && idImport !== undefined && <RunStep id={idImport} onClose={onClose} />}
    </Dialog>
  )
}
