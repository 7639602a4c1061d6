import {
  ExaminationTemplate,
  MAX_TEMPLATE_FILE,
  readTemplateFile,
  withPictures,
} from '@ordinator/model/areas/examinations/template'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useFileInput } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { useCan } from '#records/Can.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { refs } from '#records/filters/ref.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { addOwnPicture } from '../ownPicture.ts'

const templateFilters = filters(ExaminationTemplate, {
  speciality: refs('idSpeciality', { label: 'Специальность', any: 'Любая специальность' }),
  author: refs('idUser', { label: 'Автор', any: 'Любой автор' }),
  active: choice('active', {
    label: 'Действует',
    options: { yes: 'Действующие', no: 'Недействующие' },
    values: { yes: true, no: false },
    any: 'Все',
  }),
})

const asked = recordsWith({ forbidden: 'toast' })

/** Шаблоны осмотров: owners, specialities, and import from a file. */
export default function TemplatesPage() {
  return (
    <RegistryPage
      page={pageByKey('examinationTemplates')}
      entity={ExaminationTemplate}
      pageOf={(id) => `${pagePath('examinationTemplate', { id })}?tab=form`}
      expand={['speciality', 'user']}
      filters={templateFilters}
      tools={<ImportButton />}
      isMuted={({ active }) => !active}
    />
  )
}

function ImportButton() {
  const go = useGo()
  const cache = useQueryClient()
  const mayCreate = useCan('create', ExaminationTemplate)
  const [input, choose] = useFileInput({
    extensions: ['json'],
    maxSize: MAX_TEMPLATE_FILE,
    onFiles: ([file]) => void take(file),
  })
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = readTemplateFile(await file.text())
    if ('wrong' in read) return void notify.error(read.wrong, { title: `Файл «${file.name}» не загружен` })
    try {
      const { pictures = {}, ...template } = read.file
      const names: Record<string, string> = {}
      for (const [name, picture] of Object.entries(pictures)) names[name] = await addOwnPicture(picture)
      const form = withPictures(template.form, names)
      const made = await asked.create(ExaminationTemplate, { ...template, form })
      await invalidateRecords(cache, ExaminationTemplate.path)
      notify.success('Шаблон загружен: он виден только вам, пока вы не откроете его всем')
      void go({ page: 'examinationTemplate', params: { id: made.id }, search: { tab: 'form' } })
    } catch (error) {
      notify.error(errorMessage(error), { title: `Файл «${file.name}» не загружен` })
    }
  }
  if (!mayCreate) return null
  return (
    <>
      {input}
      <ActionButton label="Из файла" variant="default" icon={IconUpload} onClick={choose} />
    </>
  )
}
