ALTER TABLE `audit_entries` ADD `once` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_once` ON `audit_entries` (`once`) WHERE "audit_entries"."once" is not null;