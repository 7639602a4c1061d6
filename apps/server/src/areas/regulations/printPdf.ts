import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { authOf } from '#auth/index.ts'
import { sendPdf } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import { operation } from '#records/operation.ts'
import { paperOf } from './paper.ts'

const drawn = drawing<typeof import('./drawPdf.ts')>(new URL('./drawPdf.ts', import.meta.url))

/** As a file: authenticated by the token or, in a separate tab, by the cookie. */
export const printPdf = operation(regulationCalls.printPdf, async ({ app, request, reply, query: { id, sheet } }) => {
  const actor = await authOf(app).actorOfFileRequest(request)
  const paper = await paperOf(app, app.engine.for(actor), id, sheet === '1')
  return sendPdf(reply, `${paper.name}.pdf`, await pressOf(app).run(drawn, paper, actor))
})
