import { type ExaminationForm, ownPicturesOf } from '@ordinator/model/areas/examinations/form'
import {
  ExaminationTemplate,
  ExaminationTemplateVersion,
  templateFile,
} from '@ordinator/model/areas/examinations/template'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconDownload, IconHistory, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove } from '#records/writes.ts'
import { dataAddress, ownPictureUrl } from '../ownPicture.ts'
import { FormEditor } from './FormEditor.tsx'
import { useMayEdit } from './useMayEdit.ts'

type Template = Row<typeof ExaminationTemplate>

const tabs: RecordParts<typeof ExaminationTemplate>['tabs'] = {
  form: { label: 'Разделы и поля', panel: (template) => <FormEditor key={template.id} template={template} /> },
  versions: { label: 'Версии', panel: (template) => <Versions template={template} /> },
}

/** Шаблон осмотра: settings, form, and versions. */
export default function TemplatePage() {
  return (
    <RegistryRecordPage
      entity={ExaminationTemplate}
      list={pageByKey('examinationTemplates')}
      help={({ version, isShared, active }) =>
        [`Версия ${version}`, isShared ? 'виден всем' : 'виден автору', !active && 'не действует']
          .filter(Boolean)
          .join(' · ')
      }
      actions={(template) => <Actions template={template} />}
      tabs={tabs}
    />
  )
}

function Actions({ template }: { template: Template }) {
  const go = useGo()
  const mayEdit = useMayEdit(template)
  const remove = useRemove(ExaminationTemplate)
  const save = async () => {
    const pictures: Record<string, string> = {}
    try {
      for (const name of ownPicturesOf(template.form)) {
        const answer = await fetch(ownPictureUrl(name))
        if (!answer.ok) throw new Error('Рисунок шаблона не прочитан: повторите')
        pictures[name] = await dataAddress(await answer.blob())
      }
    } catch (error) {
      return void notify.error(errorMessage(error))
    }
    const url = URL.createObjectURL(new Blob([templateFile({ ...template, pictures })], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${template.name.replace(/[\\/:*?"<>|]/g, ' ')}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <ActionButton label="В файл" variant="default" icon={IconDownload} onClick={() => void save()} />
      {mayEdit && (
        <ActionMenu label="Другие действия" variant="default">
          <MenuItem
            label="Удалить шаблон"
            danger
            icon={IconTrash}
            onClick={() =>
              remove.mutate(template.id, {
                onSuccess: () => void go({ page: 'examinationTemplates' }, { replace: true }),
              })
            }
          />
        </ActionMenu>
      )}
    </>
  )
}

function Versions({ template }: { template: Template }) {
  const cache = useQueryClient()
  const mayEdit = useMayEdit(template)
  const list = useEndlessList(
    ExaminationTemplateVersion,
    { filter: { idTemplate: template.id }, expand: ['user'], limit: 30 },
    { forbidden: 'silent' },
  )
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={4} />
  const restore = async (idVersion: number) => {
    try {
      const { version } = await api(
        'POST /examination-templates/:id/restore',
        { params: { id: template.id }, body: { idVersion } },
        { forbidden: 'toast' },
      )
      await invalidateRecords(cache, ExaminationTemplate.path)
      await invalidateRecords(cache, ExaminationTemplateVersion.path)
      notify.success(`Форма стала версией ${version}`)
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  return (
    <VStack gap={12} maw={760}>
      <Fine component="p">Каждое сохранение формы — новая версия. Начатые осмотры остаются при своей.</Fine>
      <Block component="ul" framed aria-label="Версии">
        {list.items.map(({ id, number, dateCreate, user, form }, at) => (
          <HStack key={id} component="li" px={12} py={8} wrap rule={at ? 'top' : undefined}>
            <Block grow miw={200}>
              Версия {number} {number === template.version && <Muted>действует</Muted>}
              <Fine component="div">
                {formatDateTime(dateCreate)} · {user && <UserLink user={user} />} · {sizeOf(form)}
              </Fine>
            </Block>
            {mayEdit && number !== template.version && (
              <ActionButton
                label="Вернуть"
                reverse
                aria-label={`Вернуть версию ${number}`}
                size="compact-sm"
                variant="default"
                icon={IconHistory}
                onClick={() => void restore(id)}
              />
            )}
          </HStack>
        ))}
      </Block>
      <MoreRows list={list} />
    </VStack>
  )
}

const sizeOf = ({ sections }: ExaminationForm): string =>
  `${counted(sections.length, ['раздел', 'раздела', 'разделов'])}, ${counted(
    sections.reduce((sum, { fields }) => sum + fields.length, 0),
    ['поле', 'поля', 'полей'],
  )}`
