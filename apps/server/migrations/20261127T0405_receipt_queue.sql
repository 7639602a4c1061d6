-- A printer is asked for one more pass by whoever finds it at work; a document may be taken out of the queue.
alter table fiscal_printers add column "isAsked" boolean not null default false;
drop index fiscal_tasks_queue_idx;
create index fiscal_tasks_queue_idx on fiscal_tasks ("idDesk", "id") where "status" in ('queued', 'sending', 'unknown');
