import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { disposition } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import { operation } from '#records/operation.ts'
import { paperOf } from './paper.ts'

const drawn = drawing<typeof import('./drawDocx.ts')>(new URL('./drawDocx.ts', import.meta.url))

export const exportDocx = operation(
  regulationCalls.exportDocx,
  async ({ app, records, actor, reply, query: { id, sheet } }) => {
    const paper = await paperOf(app, records, id, sheet === '1')
    const bytes = await pressOf(app).run(drawn, paper, actor)
    return reply
      .type('application/vnd.openxmlformats-officedocument.wordprocessingml.document')
      .header('content-disposition', disposition('attachment', `${paper.name}.docx`))
      .header('cache-control', 'private, no-store')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  },
)
