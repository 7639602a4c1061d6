import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { RegulationFile } from '@ordinator/model/areas/regulations/step'
import { asPerson, fetchImage } from '#areas/files/index.ts'
import { operation } from '#records/operation.ts'

/** A picture of a step by its address: the clinic keeps a copy, and answers the record as an upload does. */
export const imageByUrl = operation(regulationCalls.imageByUrl, ({ app, actor, records, body: { url } }) =>
  fetchImage(app, records, RegulationFile, { url, sender: asPerson(app, actor) }),
)
