import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { RegulationFile } from '@ordinator/model/areas/regulations/step'
import { asPerson, fetchImage } from '#areas/files/index.ts'
import { operation } from '#records/operation.ts'

/** Downloads a step picture by its URL: the clinic stores a copy, and the response equals that of an upload. */
export const imageByUrl = operation(regulationCalls.imageByUrl, ({ app, actor, records, body: { url } }) =>
  fetchImage(app, records, RegulationFile, { url, sender: asPerson(app, actor) }),
)
