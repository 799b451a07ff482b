ALTER TABLE `changes` ADD `names` text;--> statement-breakpoint
ALTER TABLE `event_ids` ADD `members` integer DEFAULT 1 NOT NULL;