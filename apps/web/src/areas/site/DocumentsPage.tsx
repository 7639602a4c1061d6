import { SiteDocument } from '@ordinator/model/areas/site/page'
import { pageByKey } from '@ordinator/model/pages'
import { VStack } from '#kit/Stacks.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { CheckList } from './CheckList.tsx'
import { PaperInput } from './PaperInput.tsx'
import { SiteLink } from './SiteLink.tsx'

const form = () => (
  <VStack gap={16}>
    <RecordFields names={['title', 'kind', 'number', 'date', 'validTo', 'idFilial', 'description']} autoFocus />
    <RecordField name="idFile" input={PaperInput} />
    <RecordFields names={['isPublished']} />
  </VStack>
)

/** Документы: papers for visitors, and missing obligatory ones. */
export default function DocumentsPage() {
  return (
    <RegistryPage
      page={pageByKey('clientDocuments')}
      entity={SiteDocument}
      tools={<SiteLink path="/documents" />}
      form={form}
      isMuted={({ isPublished }) => !isPublished}
      layout={(list) => (
        <VStack gap={16} px="var(--ord-page)" pb="var(--ord-page)">
          <CheckList />
          {list}
        </VStack>
      )}
    />
  )
}
